package dev.rowlock.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the starts of commands and how late each was. Thread-safe; keeps what fits. */
final class Starts {

    private static final InstantSource CLOCK = Clock.systemUTC();

    private final AtomicInteger count = new AtomicInteger();
    private final int[] lateMicros;
    private volatile Instant from = Instant.MIN;
    private volatile Instant until = Instant.MAX;

    Starts(int most) {
        lateMicros = new int[most];
    }

    /** Only fire times of this window count, begin included. */
    void countOnly(Instant begin, Instant end) {
        from = begin;
        until = end;
    }

    static Instant now() {
        return CLOCK.instant();
    }

    void started(Instant due) {
        started(due, now());
    }

    void started(Instant due, Instant at) {
        if (due.isBefore(from) || !due.isBefore(until)) {
            return;
        }
        int index = count.getAndIncrement();
        if (index < lateMicros.length) {
            lateMicros[index] = (int) (Duration.between(due, at).toNanos() / 1000);
        }
    }

    int count() {
        return count.get();
    }

    /** Percentiles of the lateness in milliseconds. */
    Line lateness() {
        int[] sorted = Arrays.copyOf(lateMicros, Math.min(count.get(), lateMicros.length));
        Arrays.sort(sorted);
        return Line.of("late_p50_ms", percentile(sorted, 0.50))
                .with("late_p99_ms", percentile(sorted, 0.99))
                .with("late_max_ms", percentile(sorted, 1.0));
    }

    static double percentile(int[] sortedMicros, double share) {
        if (sortedMicros.length == 0) {
            return Double.NaN;
        }
        int index = (int) Math.ceil(share * sortedMicros.length) - 1;
        return sortedMicros[Math.max(0, index)] / 1000.0;
    }
}
