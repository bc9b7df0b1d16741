package dev.rowlock.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Schedule {@code @every}: the anchor and every whole period after it.
 *
 * @param anchor a whole second; the first fire time
 * @param period whole seconds, at least one
 */
record EverySchedule(Duration period, Instant anchor, ZoneId zone) implements Schedule {

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        return FireTimes.instant(second(stepsUntil(t.getEpochSecond()) + 1));
    }

    @Override
    public long countBetween(Instant afterExclusive, Instant untilInclusive) {
        long until = Math.min(untilInclusive.getEpochSecond(), FireTimes.LAST);
        return Math.max(0, stepsUntil(until) - stepsUntil(afterExclusive.getEpochSecond()));
    }

    @Override
    public long secondsOf(long minute) {
        if (minute > FireTimes.LAST - 60) {
            return Schedule.super.secondsOf(minute);
        }
        long seconds = 0;
        long first = second(stepsUntil(minute - 1) + 1);
        for (long second = first; second < minute + 60; second += period.toSeconds()) {
            seconds |= 1L << (second - minute);
        }
        return seconds;
    }

    /** Returns the number of the last fire time at or before a second, counted from 0; −1 before the anchor. */
    private long stepsUntil(long second) {
        long elapsed = second - anchor.getEpochSecond();
        return elapsed < 0 ? -1 : elapsed / period.toSeconds();
    }

    private long second(long step) {
        if (step > (FireTimes.LAST - anchor.getEpochSecond()) / period.toSeconds()) {
            return FireTimes.NONE;
        }
        return anchor.getEpochSecond() + step * period.toSeconds();
    }

    @Override
    public Schedule anchoredAt(Instant other, Instant since) {
        long seconds = period.toSeconds();
        long steps = Math.max(0, (since.getEpochSecond() - other.getEpochSecond()) / seconds);
        return new EverySchedule(period, Instant.ofEpochSecond(other.getEpochSecond() + steps * seconds), zone);
    }

    @Override
    public String normalized() {
        return "@every " + Durations.format(period);
    }

    @Override
    public String description() {
        return "every " + Durations.inWords(period) + ", counted from " + anchor;
    }
}
