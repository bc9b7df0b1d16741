package dev.rowlock.engine.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.exec.Guard;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends this session's commands before anyone else may run them again: TERM shortly before the trust in the session runs out, KILL when it has;
 * and keeps the guard fed, which does the latter when this JVM cannot. Takes no lock that a loop may hold while it waits for the database.
 *
 * <p>A node that keeps its commands ends them only when it learns that the session is gone, and gives the guard no deadline: that one then acts
 * when this JVM dies, or names another session.
 */
public final class Fence implements Step, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Fence.class);
    private static final Duration LOOK = Duration.ofMillis(100);
    /** While nothing runs and the trust is far from its end. */
    private static final Duration IDLE_LOOK = Duration.ofMillis(500);

    private static final long NO_DEADLINE = Long.MAX_VALUE;

    private final Lease lease;
    private final Processes processes;
    private final Duration grace;
    private final boolean keeps;
    private final LongSupplier nanos;
    private @Nullable Guard guard;
    private String guarded = "";
    private String said = "";

    /** @param keeps whether commands go on when the trust has run out, until the session is known to be gone */
    public Fence(Lease lease, Processes processes, Duration grace, boolean keeps, LongSupplier nanos) {
        this.lease = lease;
        this.processes = processes;
        this.grace = grace;
        this.keeps = keeps;
        this.nanos = nanos;
    }

    synchronized void joined(Trust trust) {
        if (guard == null) {
            guard = Guard.start(trust.sessionId(), deadline(trust));
        } else {
            guard.renamed(trust.sessionId(), deadline(trust));
        }
        guarded = trust.sessionId();
    }

    /**
     * Feeds the guard; starts it, or names the session to it, if that failed when the session joined or its trust had run out by then. To be
     * called before the trust itself is renewed: a JVM that is frozen between the two must not trust its session for longer than the guard does.
     */
    synchronized void renewed(Trust trust) {
        if (guard == null || !guarded.equals(trust.sessionId())) {
            joined(trust);
        } else {
            guard.feed(deadline(trust));
        }
    }

    private long deadline(Trust trust) {
        return keeps ? NO_DEADLINE : trust.deadlineUptimeMillis();
    }

    /** Whether commands may be started. */
    public synchronized boolean stands() {
        return guard != null && !guard.condemned() && guard.ensureAlive();
    }

    /** Whether the guard has begun to kill this session's commands, and will go on until another is named. */
    synchronized boolean isClosed() {
        return guard != null && guard.condemned();
    }

    /** What becomes of the commands while the database is away, as the end of a sentence; empty if there are none. */
    public String fate() {
        int running = processes.running();
        if (running == 0) {
            return "";
        }
        long left = lease.last()
                .map(trust -> trust.untilNanos() - nanos.getAsLong())
                .orElse(0L);
        if (keeps && lease.last().isPresent()) {
            return "; " + running + " commands go on (session.on-disconnect: KEEP)";
        }
        long untilTerm = left - grace.toNanos();
        return untilTerm > 0
                ? "; " + running + " commands go on for "
                        + Duration.ofNanos(untilTerm).toSeconds() + " s more"
                : "; " + running + " commands are being ended";
    }

    @Override
    public Pass runOnce() {
        if (processes.running() == 0) {
            return Pass.rest(isFarFromEnd() ? IDLE_LOOK : LOOK);
        }
        lease.last().ifPresentOrElse(this::compare, this::ended);
        return Pass.rest(LOOK);
    }

    private boolean isFarFromEnd() {
        long far = grace.plus(IDLE_LOOK).toNanos();
        return lease.last()
                .filter(trust -> trust.untilNanos() - nanos.getAsLong() <= far)
                .isEmpty();
    }

    private void compare(Trust trust) {
        Duration left = Duration.ofNanos(trust.untilNanos() - nanos.getAsLong());
        if (left.compareTo(keeps ? Duration.ZERO : grace) > 0) {
            said = "";
        } else if (keeps) {
            say(
                    "No contact with the database for as long as session.fence: {} commands go on (session.on-disconnect: KEEP). If another"
                            + " node expires this session meanwhile, it may run them a second time.");
        } else {
            say(
                    "No contact with the database: {} commands of this session are ended before others may run them again.");
            processes.killAll(StopCause.FENCE, left.isNegative() ? Duration.ZERO : left);
        }
    }

    private void ended() {
        say("This session has ended: its {} commands are ended, others may run them again.");
        processes.killAll(StopCause.FENCE, Duration.ZERO);
    }

    private void say(String what) {
        if (!said.equals(what)) {
            log.warn(what, processes.running());
            said = what;
        }
    }

    @Override
    public synchronized void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
