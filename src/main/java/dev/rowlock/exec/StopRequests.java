package dev.rowlock.exec;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What was asked for a command's end so far, whether it has come to the watch's thread yet or not. Thread-safe. */
final class StopRequests {

    private static final long SAME = Duration.ofMillis(10).toNanos();

    /** The earliest. */
    private long killAt = Running.NEVER;

    private volatile @Nullable StopCause why;

    /** Whether this one changes anything: it wants KILL earlier than those before, or has a cause that counts. */
    synchronized boolean add(StopCause cause, long wantedKillAt) {
        boolean sooner = killAt == Running.NEVER || wantedKillAt - killAt <= -SAME;
        boolean outranks = cause.outranks(why);
        killAt = sooner ? wantedKillAt : killAt;
        why = outranks ? cause : why;
        return sooner || outranks;
    }

    /** The cause that counts; null if nobody has asked. Once there is one, no process is made any more. */
    @Nullable
    StopCause why() {
        return why;
    }
}
