package dev.rowlock.node.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fence that ends this session's commands before anyone else may run them again: TERM shortly before the trust in the
 * session ends, KILL when it has, by the {@link SessionGuard} when this JVM cannot. Takes no lock that a loop may hold
 * while it waits for the database.
 */
final class Fence implements Step {

    private static final Logger log = LoggerFactory.getLogger(Fence.class);
    private static final Duration REST = Duration.ofMillis(100);
    /** Rest while nothing runs and the trust is far from its end. */
    private static final Duration IDLE_REST = Duration.ofMillis(500);

    private final Lease lease;
    private final LongSupplier nanos;
    private final Processes processes;
    private final SessionGuard guard;
    private final Duration grace;
    private String said = "";

    Fence(NodeContext node, Processes processes, SessionGuard guard) {
        this.lease = node.lease();
        this.nanos = node.nanos();
        this.processes = processes;
        this.guard = guard;
        this.grace = node.settings().fenceGrace();
    }

    /**
     * Returns what happens to the commands while the database is away, as the end of a sentence; empty if there are
     * none.
     */
    String fate() {
        int running = processes.running();
        if (running == 0) {
            return "";
        }
        long left = lease.last()
                .map(trust -> trust.untilNanos() - nanos.getAsLong())
                .orElse(0L);
        long untilTerm = left - grace.toNanos();
        return untilTerm > 0
                ? "; " + running + " commands go on for "
                        + Duration.ofNanos(untilTerm).toSeconds() + " s more"
                : "; " + running + " commands are being ended";
    }

    @Override
    public Pass runOnce() {
        if (processes.running() == 0) {
            return Pass.rest(isFarFromEnd() ? IDLE_REST : REST);
        }
        guard.keep();
        lease.last().ifPresentOrElse(this::compare, this::ended);
        return Pass.rest(REST);
    }

    private boolean isFarFromEnd() {
        long far = grace.plus(IDLE_REST).toNanos();
        return lease.last()
                .filter(trust -> trust.untilNanos() - nanos.getAsLong() <= far)
                .isEmpty();
    }

    private void compare(Trust trust) {
        Duration left = Duration.ofNanos(trust.untilNanos() - nanos.getAsLong());
        if (left.compareTo(grace) > 0) {
            said = "";
        } else {
            say("No contact with the database: {} commands of this session are ended before others may run"
                    + " them again.");
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
}
