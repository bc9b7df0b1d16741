package dev.rowlock.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What goes on in a cluster, and what does not, at one moment.
 *
 * @param countedThrough all that ended before is in {@code failing} and {@code minutes}
 * @param verification the last one of all jobs; null: there was none
 * @param minutes those of the last day in which something started or ended, oldest first
 */
public record ClusterHealth(
        Instant databaseTime,
        String databaseVersion,
        Instant countedThrough,
        Some<JobStats> failing,
        Some<LateTask> late,
        Map<Hold, Waiting> waiting,
        Some<LongTask> longRunning,
        @Nullable Verification verification,
        List<Minute> minutes) {

    /** @param more whether there are more than were counted */
    public record Some<T>(List<T> items, long count, boolean more) {}

    /** A task that is due and was not started, though nothing is known to hold it. */
    public record LateTask(long id, JobKey job, Instant fireTime, Instant dueAt, String state, @Nullable String node) {}

    /** @param more whether there are more than were counted */
    public record Waiting(long tasks, boolean more, @Nullable String example) {}

    /** A task that executes for more than twice the p95 of its job. */
    public record LongTask(long id, JobKey job, @Nullable String node, Instant startedAt, long runningMillis, long p95) {}

    /** @param wrong jobs that do not add up */
    public record Verification(Instant at, long jobs, long wrong, long fireTimes) {}

    /** @param outcomes tasks by outcome, and fire times that were skipped or missed */
    public record Minute(Instant at, long fires, Map<Outcome, Long> outcomes) {}
}
