package dev.rowlock.control;

import dev.rowlock.job.StoredJob;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Counts the fire times of a schedule that went by. Counts and halves, and so takes no longer for many than for few. */
final class Elapsed {

    private final Schedule schedule;

    Elapsed(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Of a job as it is stored; of one that does not say when in a way that is understood, nothing beyond what has a row. */
    static Elapsed of(StoredJob job) {
        return new Elapsed(job.stored()
                .schedule(job.createdAt())
                .<Schedule>map(schedule -> schedule)
                .orElseGet(() -> Schedule.parse("@manual", ZoneOffset.UTC, DaylightSaving.SHIFT, job.createdAt())));
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
