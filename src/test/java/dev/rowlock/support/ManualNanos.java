package dev.rowlock.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A monotonic clock that moves when it is told to. It starts close to the overflow, as System.nanoTime may. */
public final class ManualNanos implements LongSupplier {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);

    @Override
    public long getAsLong() {
        return now.get();
    }

    public void advance(Duration by) {
        now.addAndGet(by.toNanos());
    }
}
