package dev.rowlock.nodes;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for what other processes do, which can only be looked at again and again. */
public final class Until {

    private static final long LOOK_NANOS = 20_000_000;

    private Until() {}

    /** Returns when the condition holds; fails, with what it waited for, when the time is over. */
    public static void holds(Duration limit, String what, Callable<Boolean> condition) throws Exception {
        is(limit, what, () -> condition.call() ? "" : null);
    }

    /** The first value that is not null. */
    public static <T> T is(Duration limit, String what, Callable<@Nullable T> value) throws Exception {
        long start = System.nanoTime();
        while (true) {
            @Nullable T found = value.call();
            if (found != null) {
                return found;
            }
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
