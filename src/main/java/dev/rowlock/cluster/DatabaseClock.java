package dev.rowlock.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The database's time, estimated between samples with the monotonic clock: the sample of the last minute with the smallest round trip counts.
 * A sample that cannot be reconciled with the one before it (the database's clock was set, or another server answers) replaces all. Thread-safe.
 */
public final class DatabaseClock {

    private static final Duration KEPT = Duration.ofMinutes(1);
    /** Crystals drift by less than this share. */
    private static final long DRIFT_DIVISOR = 5_000;

    /**
     * @param epochNanosAtZero what the database's clock showed, at the least, when the monotonic clock was zero
     * @param widthNanos how much later it may have been: the round trip
     */
    private record Sample(long epochNanosAtZero, long widthNanos, long takenNanos) {

        boolean agreesWith(Sample earlier) {
            long slack = Math.max(0, takenNanos - earlier.takenNanos) / DRIFT_DIVISOR;
            return epochNanosAtZero <= earlier.epochNanosAtZero + earlier.widthNanos + slack
                    && earlier.epochNanosAtZero <= epochNanosAtZero + widthNanos + slack;
        }
    }

    private final LongSupplier nanos;
    private final Deque<Sample> samples = new ArrayDeque<>();

    public DatabaseClock(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes what the database's clock showed at some moment between the two readings of the monotonic clock. */
    public synchronized void sample(Instant databaseTime, long askedNanos, long answeredNanos) {
        long epochNanos = Math.addExact(
                Math.multiplyExact(databaseTime.getEpochSecond(), 1_000_000_000L), databaseTime.getNano());
        Sample fresh = new Sample(epochNanos - answeredNanos, answeredNanos - askedNanos, answeredNanos);
        Sample last = samples.peekLast();
        if (last != null && !fresh.agreesWith(last)) {
            samples.clear();
        }
        samples.removeIf(old -> answeredNanos - old.takenNanos() > KEPT.toNanos());
        samples.addLast(fresh);
    }

    /** The database's time now. Before the first sample there is none to tell, and asking is a mistake. */
    public Instant now() {
        return at(nanos.getAsLong());
    }

    /** The database's time at a moment of the monotonic clock. */
    public synchronized Instant at(long atNanos) {
        Sample best = null;
        for (Sample sample : samples) {
            best = best == null || sample.widthNanos() <= best.widthNanos() ? sample : best;
        }
        if (best == null) {
            throw new IllegalStateException("the database's clock has not been read yet");
        }
        long epochNanos = best.epochNanosAtZero() + best.widthNanos() / 2 + atNanos;
        return Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, 1_000_000_000L), Math.floorMod(epochNanos, 1_000_000_000L));
    }

    public synchronized boolean isKnown() {
        return !samples.isEmpty();
    }
}
