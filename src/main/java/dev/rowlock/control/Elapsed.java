package dev.rowlock.control;

import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.util.Optional;

/** Counts the fire times of a schedule that went by. Counts and halves, and so takes no longer for many than for few. */
final class Elapsed {

    private final Schedule schedule;

    Elapsed(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Consecutive fire times. */
    record Span(Instant first, Instant last, long count) {}

    /** The fire times from {@code from}, which is one, through {@code to}. */
    Span between(Instant from, Instant to) {
        long count = 1 + schedule.countBetween(from, to);
        return new Span(from, schedule.lastBetween(from, to).orElse(from), count);
    }

    Optional<Instant> after(Instant t) {
        return schedule.nextAfter(t);
    }
}
