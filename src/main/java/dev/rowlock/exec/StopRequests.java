package dev.rowlock.exec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Requests to end a command, whether they have reached the watch's thread yet or not. Thread-safe. */
final class StopRequests {

    private static final long SAME = Duration.ofMillis(10).toNanos();

    /** Earliest time of KILL. */
    private long killAt = Running.NEVER;

    private volatile @Nullable StopCause why;

    /**
     * Adds a request; returns whether it changes anything: it wants KILL earlier than those before, or has a cause that
     * counts.
     */
    synchronized boolean add(StopCause cause, long wantedKillAt) {
        boolean sooner = killAt == Running.NEVER || wantedKillAt - killAt <= -SAME;
        boolean outranks = cause.outranks(why);
        killAt = sooner ? wantedKillAt : killAt;
        why = outranks ? cause : why;
        return sooner || outranks;
    }

    /**
     * Returns the cause that counts; null if there is no request. Once there is one, no process is created any more.
     */
    @Nullable
    StopCause why() {
        return why;
    }
}
