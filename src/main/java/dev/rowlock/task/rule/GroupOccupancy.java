package dev.rowlock.task.rule;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Group as it is found under its lock.
 *
 * @param limit how many of its tasks may execute at once; null: there is no such group
 * @param used how many do
 * @param waiting tasks that wait for it, those that go first in front: at least as many as slots are free and tasks are
 *     decided on
 */
public record GroupOccupancy(@Nullable Integer limit, int used, List<GroupWaiter> waiting) {

    /**
     * Waiting task.
     *
     * @param rank see {@link Priority}
     */
    public record GroupWaiter(long task, Instant rank) {}
}
