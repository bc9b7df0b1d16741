package dev.rowlock.support;

import dev.rowlock.exec.process.Uptime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The real monotonic clock, which a test can push ahead, as if the node had been frozen for that long, or stop. */
public final class ShiftedNanos implements LongSupplier {

    private final AtomicLong shift = new AtomicLong();
    private volatile LongSupplier real = System::nanoTime;
    private volatile LongSupplier uptime = Uptime::millis;

    @Override
    public long getAsLong() {
        return real.getAsLong() + shift.get();
    }

    /**
     * From now on only {@link #advance} moves it, so that nothing depends on how long the test takes. The uptime of the
     * machine stands still, too: else the node would take real time that goes by for a suspension.
     */
    public void stop() {
        long stopped = System.nanoTime();
        real = () -> stopped;
        long up = Uptime.millis();
        uptime = () -> up;
    }

    /** How long the machine has been up, which {@link #advance} leaves alone. */
    public long uptimeMillis() {
        return uptime.getAsLong();
    }

    public void advance(Duration by) {
        shift.addAndGet(by.toNanos());
    }
}
