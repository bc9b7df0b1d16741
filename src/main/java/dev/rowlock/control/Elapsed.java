package dev.rowlock.control;

import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Counts the fire times of a schedule that went by. Takes milliseconds, however many they are. */
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
