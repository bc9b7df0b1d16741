package dev.rowlock.control;

import dev.rowlock.control.Refused.Reason;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The part of the heap that requests share. Each takes what it may need before it reads what may be large, and waits a
 * while if too little is left: many large requests are served one after the other. Thread-safe.
 */
public final class HeapShare {

    private static final int UNIT = 1024;

    private final Semaphore left;
    private final int all;
    private final Duration patience;
    private final BodyRoom bodies;

    /** @param patience how long a request waits for others before it is refused */
    public HeapShare(long bytes, Duration patience) {
        this.all = Math.toIntExact(bytes / UNIT);
        this.left = new Semaphore(all, true);
        this.patience = patience;
        this.bodies = new BodyRoom(bytes / 4, patience);
    }

    /** A quarter of the heap that this process may have: the rest is for what it does by itself. */
    public static HeapShare ofThisProcess() {
        return new HeapShare(Runtime.getRuntime().maxMemory() / 4, Duration.ofSeconds(10));
    }

    /**
     * Room besides this one, a quarter as large, for bodies that have not arrived whole. A request takes its part of
     * the share after that: else it would hold for its client, who may be slow, what it only needs for its work.
     */
    public BodyRoom bodies() {
        return bodies;
    }

    /** What a request does with its part. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        void run() throws E;
    }

    /**
     * Works with so much of it, or with all of it if that is less; {@link Refused} if others need it all the time. Only
     * once for each request: who waits for more while holding some may wait for others that do the same.
     */
    public <E extends Exception> void with(long bytes, Work<E> work) throws E {
        Part part = take(bytes);
        try {
            work.run();
        } finally {
            part.close();
        }
    }

    /** Like {@link #with}, for a request that needs less at its end than at its beginning. */
    public Part take(long bytes) {
        int units = units(bytes);
        acquire(units);
        return new Part(units);
    }

    /** What one request has of it, until it is closed. For use by one thread. */
    public final class Part implements AutoCloseable {

        private int units;

        private Part(int units) {
            this.units = units;
        }

        /** Gives back what is more than this: of all that was read and computed, only so much is still in use. */
        public void keepOnly(long bytes) {
            int kept = Math.min(units, units(bytes));
            left.release(units - kept);
            units = kept;
        }

        @Override
        public void close() {
            keepOnly(0);
        }
    }

    private int units(long bytes) {
        return (int) Math.min(all, (bytes + UNIT - 1) / UNIT);
    }

    private void acquire(int units) {
        try {
            // Who needs none does not queue behind those that need some.
            if (units == 0 || left.tryAcquire(units, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new Refused(
                Reason.BUSY,
                "requests for large answers, or with large bodies, take all the memory that this node has for them;"
                        + " try again, or ask another node");
    }
}
