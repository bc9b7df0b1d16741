package dev.rowlock.task.rule;

import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Turns of a backfill beside the other tasks of its job: it stands behind all that executes or is to, so that it never
 * delays, skips or kills an occurrence, unless the job allows overlap.
 */
public final class BackfillTurn {

    private BackfillTurn() {}

    /**
     * Returns how many further fire times of a backfill may start.
     *
     * @param live all live tasks of the job, its cursor included
     * @param parallel how many may be under way at once, held by whatever; a retry that waits for its time is not
     */
    public static int free(Origin backfill, Overlap overlap, Collection<Task> live, int parallel, Instant now) {
        return inTheWay(backfill, overlap, live, now).isPresent()
                ? 0
                : Math.max(0, parallel - underWay(backfill, live, task -> isUnderWay(task, now)));
    }

    /** Returns a task that goes first; empty: there is none. */
    static Optional<Task> inTheWay(Origin backfill, Overlap overlap, Collection<Task> others, Instant now) {
        return overlap == Overlap.ALLOW
                ? Optional.empty()
                : others.stream()
                        .filter(other -> !isOf(backfill, other))
                        .filter(other -> other.isExecuting()
                                || other.isWaiting()
                                || (!other.origin().isBackfill() && isDue(other, now)))
                        .min(Comparator.comparing(Task::isExecuting).reversed().thenComparing(Task.BY_FIRE_TIME));
    }

    /** Returns why a task of a backfill does not start now; null: it may. */
    static @Nullable String whyNot(
            Task task, Overlap overlap, Collection<Task> others, @Nullable Integer parallel, Instant now) {
        Optional<Task> first = inTheWay(task.origin(), overlap, others, now);
        if (first.isPresent()) {
            return "task " + first.get().id() + (first.get().isExecuting() ? " is executing" : " comes first")
                    + ", and a backfill stands behind all others";
        }
        Predicate<Task> beside =
                other -> other.isExecuting() && !other.fireTime().equals(task.fireTime());
        return parallel != null && underWay(task.origin(), others, beside) >= parallel
                ? "as many of the backfill execute as may at once (parallel " + parallel + ")"
                : null;
    }

    private static int underWay(Origin backfill, Collection<Task> tasks, Predicate<Task> which) {
        return (int) tasks.stream()
                .filter(task -> isOf(backfill, task))
                .filter(which)
                .map(Task::fireTime)
                .distinct()
                .count();
    }

    private static boolean isUnderWay(Task task, Instant now) {
        return task.isExecuting() || !task.isFurtherAttempt() || isDue(task, now);
    }

    private static boolean isOf(Origin backfill, Task task) {
        return task.origin().isBackfill() && task.origin().backfill() == backfill.backfill();
    }

    private static boolean isDue(Task task, Instant now) {
        return !task.isExecuting()
                && task.hold() == null
                && task.dueAt() != null
                && !task.dueAt().isAfter(now);
    }
}
