package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
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
 */
final class Fence implements Step, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Fence.class);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Lease lease;
    private final Processes processes;
    private final Duration grace;
    private final LongSupplier nanos;
    private @Nullable Guard guard;
    private boolean said;

    Fence(Lease lease, Processes processes, Duration grace, LongSupplier nanos) {
        this.lease = lease;
        this.processes = processes;
        this.grace = grace;
        this.nanos = nanos;
    }

    synchronized void joined(Trust trust) {
        if (guard == null) {
            guard = Guard.start(trust.sessionId(), trust.deadlineUptimeMillis());
        } else {
            guard.renamed(trust.sessionId(), trust.deadlineUptimeMillis());
        }
    }

    /** Feeds the guard; starts it if that failed when the session joined. */
    synchronized void renewed(Trust trust) {
        if (guard == null) {
            joined(trust);
        } else {
            guard.feed(trust.deadlineUptimeMillis());
        }
    }

    /** Whether commands may be started. */
    synchronized boolean stands() {
        return guard != null && !guard.condemned() && guard.ensureAlive();
    }

    /** Whether the guard has begun to kill this session's commands, and will go on until another is named. */
    synchronized boolean isClosed() {
        return guard != null && guard.condemned();
    }

    @Override
    public Pass runOnce() {
        if (processes.running() > 0) {
            lease.last().ifPresentOrElse(this::compare, () -> kill(Duration.ZERO));
        }
        return Pass.rest(LOOK);
    }

    private void compare(Trust trust) {
        Duration left = Duration.ofNanos(trust.untilNanos() - nanos.getAsLong());
        if (left.compareTo(grace) > 0) {
            said = false;
        } else {
            kill(left.isNegative() ? Duration.ZERO : left);
        }
    }

    private void kill(Duration within) {
        if (!said) {
            log.warn(
                    "No contact with the database: the commands of this session are ended before others may run them again.");
            said = true;
        }
        processes.killAll(StopCause.FENCE, within);
    }

    @Override
    public synchronized void close() {
        if (guard != null) {
            guard.close();
        }
    }
}
