package dev.rowlock.task.rule;

import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import java.time.Instant;

/** Consecutive fire times of a schedule. */
public record Span(Instant first, Instant last, long count) {

    static Span only(Task task) {
        return new Span(task.fireTime(), task.fireTime(), 1);
    }

    /**
     * Returns the span from {@code from}, which is a fire time, through {@code to}. Takes no longer for many than for
     * few.
     */
    static Span between(Schedule schedule, Instant from, Instant to) {
        return new Span(from, schedule.lastBetween(from, to).orElse(from), 1 + schedule.countBetween(from, to));
    }
}
