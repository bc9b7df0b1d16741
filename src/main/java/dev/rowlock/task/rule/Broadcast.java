package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.task.Task;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Policy of a job that runs on every node: an occurrence of it becomes one task for each, its <em>parts</em>.
 *
 * @param parallel on how many of them it runs at a time; null: on all
 * @param stopsOnFailure whether one failure cancels what has not started
 */
public record Broadcast(@Nullable Integer parallel, boolean stopsOnFailure) {

    static @Nullable Broadcast of(JobDefinition job) {
        return job.broadcast() ? new Broadcast(job.broadcastParallel(), job.stopOnFailure()) : null;
    }

    /**
     * Returns why a part has to wait for others of its occurrence. They take turns in the order of their ids. Whatever
     * keeps one from starting when its turn has come, it keeps its place; and so does one that failed or was lost until
     * its last attempt has ended.
     *
     * @param tasks the live tasks of the job, which may include it
     * @return empty: its turn has come
     */
    static Optional<Ahead> before(Task part, Collection<Task> tasks, @Nullable Integer parallel) {
        if (parallel == null || part.isFurtherAttempt() || part.isExecuting()) {
            return Optional.empty();
        }
        List<Task> ahead = tasks.stream()
                .filter(other -> other.id() != part.id() && part.isOfSameOccurrence(other))
                .filter(other -> other.isExecuting() || other.isFurtherAttempt() || other.id() < part.id())
                .sorted(Task.BY_FIRE_TIME)
                .toList();
        return ahead.size() < parallel ? Optional.empty() : Optional.of(new Ahead(ahead, parallel));
    }

    /**
     * Parts that a part waits for.
     *
     * @param tasks those that come first
     * @param parallel how many of them may be under way at once
     */
    record Ahead(List<Task> tasks, int parallel) {

        private static final int NAMED = 3;

        Task first() {
            return tasks.get(0);
        }

        /**
         * Returns whether its turn may come without notice: once those have ended that were started under another
         * version of the job, which wake nobody.
         */
        boolean isUntold(Task waiting) {
            long untelling = tasks.stream()
                    .filter(task -> task.isExecuting() && task.version() != waiting.version())
                    .count();
            return untelling > 0 && tasks.size() - untelling < parallel;
        }

        String reason() {
            String named = tasks.stream()
                    .limit(NAMED)
                    .map(task -> task.id() + " on " + task.origin().node())
                    .collect(Collectors.joining(", "));
            String more = tasks.size() > NAMED ? " and " + (tasks.size() - NAMED) + " more" : "";
            return "task " + named + more + " first (broadcastParallel " + parallel + ")";
        }
    }

    /**
     * Returns the parts that are cancelled because another has failed for good: those of the same occurrence that have
     * not started yet. A part that was started is retried as often as the job allows.
     *
     * @param tasks the live tasks of the job
     */
    public static List<Task> stoppedBy(Task failed, Collection<Task> tasks) {
        return tasks.stream()
                .filter(other -> other.id() != failed.id() && failed.isOfSameOccurrence(other))
                .filter(Task::hasNotStarted)
                .sorted(Task.BY_FIRE_TIME)
                .toList();
    }
}
