package dev.rowlock.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The real monotonic clock, which a test can push ahead, as if the node had been frozen for that long, or stop. */
public final class ShiftedNanos implements LongSupplier {

    private final AtomicLong shift = new AtomicLong();
    private volatile LongSupplier real = System::nanoTime;

    @Override
    public long getAsLong() {
        return real.getAsLong() + shift.get();
    }

    /** From now on only {@link #advance} moves it, so that nothing depends on how long the test takes. */
    public void stop() {
        long stopped = System.nanoTime();
        real = () -> stopped;
    }

    public void advance(Duration by) {
        shift.addAndGet(by.toNanos());
    }
}
