package dev.rowlock.control;

import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts the fire times of a schedule that went by. What was counted is remembered, so that a long count can be made before a lock is taken
 * and needs only its last stretch under it. For one thread.
 */
final class Elapsed {

    /** Of a schedule of every second, 115 days; counting them takes seconds. What is beyond is not counted one by one. */
    private static final long LIMIT = 10_000_000;

    private final Schedule schedule;
    private @Nullable Instant first;
    private Instant last = Instant.EPOCH;
    private long count;

    Elapsed(Schedule schedule) {
        this.schedule = schedule;
    }

    /**
     * Consecutive fire times.
     *
     * @param complete false: there are more than {@code count}
     */
    record Span(Instant first, Instant last, long count, boolean complete) {}

    /** The fire times from {@code from}, which is one, through {@code to}. */
    Span between(Instant from, Instant to) {
        if (!from.equals(first) || last.isAfter(to)) {
            first = from;
            last = from;
            count = 1;
        }
        while (count < LIMIT) {
            Optional<Instant> next = nextUpTo(last, to);
            if (next.isEmpty()) {
                return new Span(from, last, count, true);
            }
            last = next.get();
            count++;
        }
        return nextUpTo(last, to).isEmpty()
                ? new Span(from, last, count, true)
                : new Span(from, lastUpTo(last, to), count, false);
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
