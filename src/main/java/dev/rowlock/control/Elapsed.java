package dev.rowlock.control;

import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Counts the fire times of a schedule that went by. Takes milliseconds, however many they are. */
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
        return new Span(from, count == 1 ? from : lastUpTo(from, to), count);
    }

    Optional<Instant> after(Instant t) {
        return schedule.nextAfter(t);
    }

    /** The last fire time through {@code to}, found from its end: looks back ever further until there is one. */
    private Instant lastUpTo(Instant known, Instant to) {
        for (Duration back = Duration.ofSeconds(1); ; back = back.multipliedBy(2)) {
            Instant start = to.minus(back);
            if (start.isBefore(known)) {
                start = known;
            }
            Optional<Instant> next = nextUpTo(start, to);
            Instant found = known;
            while (next.isPresent()) {
                found = next.get();
                next = nextUpTo(found, to);
            }
            if (found.isAfter(start) || start.equals(known)) {
                return found;
            }
        }
    }

    private Optional<Instant> nextUpTo(Instant after, Instant to) {
        return schedule.nextAfter(after).filter(t -> !t.isAfter(to));
    }
}
