package dev.rowlock.schedule;

import java.time.Instant;

/** Search for the beginning of the newest among many fire times, by counting. */
final class Newest {

    private Newest() {}

    /**
     * Returns an instant after which, and not after {@code until}, lie {@code most} fire times; {@code from} if fewer
     * do.
     */
    static Instant begin(Schedule schedule, Instant from, Instant until, int most) {
        long first = from.toEpochMilli();
        long end = until.toEpochMilli();
        long few = end; // fewer than that many lie after it
        long stretch = 1_000;
        while (end - stretch > first && count(schedule, end - stretch, until) < most) {
            few = end - stretch;
            stretch *= 2;
        }
        long enough = Math.max(first, end - stretch); // it has that many, or is the first
        if (count(schedule, enough, until) < most) {
            return from;
        }
        while (few - enough > 1) {
            long middle = enough + (few - enough) / 2;
            if (count(schedule, middle, until) < most) {
                few = middle;
            } else {
                enough = middle;
            }
        }
        return Instant.ofEpochMilli(enough);
    }

    private static long count(Schedule schedule, long after, Instant until) {
        return schedule.countBetween(Instant.ofEpochMilli(after), until);
    }
}
