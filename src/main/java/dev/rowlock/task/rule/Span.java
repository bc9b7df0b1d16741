package dev.rowlock.task.rule;

import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.Optional;

/** Consecutive fire times of a schedule. */
public record Span(Instant first, Instant last, long count) {

    static Span only(Task task) {
        return new Span(task.fireTime(), task.fireTime(), 1);
    }

    /** Returns the fire times from an instant on and before another; empty: there are none. */
    public static Optional<Span> within(Schedule schedule, Instant from, Instant end) {
        return schedule.nextAfter(from.minusMillis(1))
                .filter(first -> first.isBefore(end))
                .map(first -> between(schedule, first, end.minusMillis(1)));
    }

    /**
     * Returns the span from {@code from}, which is a fire time, through {@code to}. Takes no longer for many than for
     * few.
     */
    static Span between(Schedule schedule, Instant from, Instant to) {
        return new Span(from, schedule.lastBetween(from, to).orElse(from), 1 + schedule.countBetween(from, to));
    }
}
