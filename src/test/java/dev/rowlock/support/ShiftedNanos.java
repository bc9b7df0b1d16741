package dev.rowlock.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The real monotonic clock, which a test can push ahead: as if the node had been frozen, or the others silent, for that long. */
public final class ShiftedNanos implements LongSupplier {

    private final AtomicLong shift = new AtomicLong();

    @Override
    public long getAsLong() {
        return System.nanoTime() + shift.get();
    }

    public void advance(Duration by) {
        shift.addAndGet(by.toNanos());
    }
}
