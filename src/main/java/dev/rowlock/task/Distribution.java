package dev.rowlock.task;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Distribution of durations over classes. Adding is two increments and takes no lock, so that it may be done for every
 * task. Thread-safe; what is read while others add may be a moment apart.
 */
public final class Distribution {

    private final long[] boundNanos;
    private final LongAdder[] counts;
    private final LongAdder sumNanos = new LongAdder();

    /**
     * Snapshot of a distribution.
     *
     * @param bounds in seconds, ascending; the last one is infinity
     * @param counts how many were at most as long as each bound, and longer than the one before it
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, and never compared
    public record Read(double[] bounds, long[] counts, double sumSeconds) {}

    /** @param bounds ascending; what is longer than all of them has a class of its own */
    public Distribution(List<Duration> bounds) {
        this.boundNanos = bounds.stream().mapToLong(Duration::toNanos).toArray();
        this.counts = new LongAdder[boundNanos.length + 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** Adds a duration; a negative one, as clocks differ, counts as zero. */
    public void addMillis(long millis) {
        addNanos(millis * 1_000_000);
    }

    /** Adds a duration; a negative one, as clocks differ, counts as zero. */
    public void addNanos(long nanos) {
        long length = Math.max(0, nanos);
        int i = 0;
        while (i < boundNanos.length && length > boundNanos[i]) {
            i++;
        }
        counts[i].increment();
        sumNanos.add(length);
    }

    /** Returns the counts so far; a duration that is added meanwhile may be in some of them alone. */
    public Read read() {
        double[] bounds = new double[counts.length];
        long[] read = new long[counts.length];
        for (int i = 0; i < counts.length; i++) {
            bounds[i] = i < boundNanos.length ? boundNanos[i] / 1e9 : Double.POSITIVE_INFINITY;
            read[i] = counts[i].sum();
        }
        return new Read(bounds, read, sumNanos.sum() / 1e9);
    }
}
