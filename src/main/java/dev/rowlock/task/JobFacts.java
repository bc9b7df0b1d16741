package dev.rowlock.task;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * State of a job.
 *
 * @param state one of {@code PAUSED EXECUTING PREPARED IDLE ENDED}
 * @param nextFireTime of its schedule; null while nothing is going to run by itself
 * @param lastTask the newest one that is executing or was executed
 * @param skippedSince occurrences due after that which did not run
 * @param streak how its last runs ended, as far as they are counted; null: it never ran
 * @param setAside its tasks that the database refused; null: none
 * @param noNode why no node may run what is due of it; null: nothing waits for a node
 * @param frozen the freeze that holds what is due of it; null: none does
 * @param warnings what a person should know of it by now
 * @param recent the outcomes of its last occurrences, the newest last; null: not requested
 */
public record JobFacts(
        String state,
        @Nullable Instant nextFireTime,
        Optional<TaskView> lastTask,
        Optional<Skipped> skippedSince,
        @Nullable Streak streak,
        @Nullable SetAside setAside,
        @Nullable String noNode,
        @Nullable String frozen,
        List<String> warnings,
        @Nullable List<String> recent) {

    /**
     * Tasks of a job that are set aside, or whose results are.
     *
     * @param why the error of one of them
     * @param lookAt when the first of them is retried; null: unknown
     */
    public record SetAside(int tasks, String why, @Nullable Instant lookAt) {}

    /**
     * Number of runs in a row that ended alike; counted some seconds after they do.
     *
     * @param result {@code SUCCEEDED}, or {@code FAILED} for any other outcome
     * @param since when the first of them ended
     */
    public record Streak(
            long count, String result, @Nullable Instant since) {}

    /**
     * Occurrences that were skipped or missed.
     *
     * @param exact false: it is a lower bound, as no more of history was read
     * @param outcome of the last of them, with its reason
     * @param lastFireTime of the last of them
     */
    public record Skipped(
            long count,
            boolean exact,
            String outcome,
            @Nullable String reason,
            Instant lastFireTime) {}
}
