package dev.rowlock.task;

import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Filter of tasks, newest first; null means any.
 *
 * @param job the name of a job of {@code namespace}
 * @param state one of {@code IDLE PREPARED EXECUTING ENDED}
 * @param since fire times from then on; a row that stands for several is asked for if the last of them is
 * @param until fire times before it
 * @param expanded also what has become one task for each node
 * @param withdrawn also what an edit or a deletion took back before its fire time
 * @param after the last task of the page before
 * @param cause why it exists
 * @param minDuration of what has ended: it ran for so long or longer
 * @param labels of its job, as that is now; jobs that were deleted have none
 */
public record TaskFilter(
        @Nullable String namespace,
        @Nullable String job,
        @Nullable String state,
        @Nullable Outcome outcome,
        @Nullable String node,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable TaskPosition after,
        int limit,
        boolean expanded,
        boolean withdrawn,
        @Nullable Cause cause,
        @Nullable Duration minDuration,
        List<JobFilter.Label> labels) {

    /** Creates a filter that excludes broadcasts replaced by one task per node, unless their outcome is asked for. */
    public TaskFilter(
            @Nullable String namespace,
            @Nullable String job,
            @Nullable String state,
            @Nullable Outcome outcome,
            @Nullable String node,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable TaskPosition after,
            int limit) {
        this(namespace, job, state, outcome, node, since, until, after, limit, false, false, null, null, List.of());
    }

    /** Creates a filter of any cause, duration and labels. */
    public TaskFilter(
            @Nullable String namespace,
            @Nullable String job,
            @Nullable String state,
            @Nullable Outcome outcome,
            @Nullable String node,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable TaskPosition after,
            int limit,
            boolean expanded) {
        this(namespace, job, state, outcome, node, since, until, after, limit, expanded, false, null, null, List.of());
    }

    /** Returns this filter within one namespace. */
    public TaskFilter of(String other) {
        return new TaskFilter(
                other,
                job,
                state,
                outcome,
                node,
                since,
                until,
                after,
                limit,
                expanded,
                withdrawn,
                cause,
                minDuration,
                labels);
    }

    /** Position in the order of tasks. */
    public record TaskPosition(Instant fireTime, long id) {

        public static final Comparator<TaskPosition> OLDEST_FIRST =
                Comparator.comparing(TaskPosition::fireTime).thenComparing(TaskPosition::id);
    }
}
