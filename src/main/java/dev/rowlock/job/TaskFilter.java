package dev.rowlock.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are asked for, newest first; null means any.
 *
 * @param job the name of a job of {@code namespace}
 * @param state one of {@code IDLE PREPARED EXECUTING ENDED}
 * @param since fire times from then on; a row that stands for several is asked for if the last of them is
 * @param until fire times before it
 * @param after the last task of the page before
 */
public record TaskFilter(
        @Nullable String namespace,
        @Nullable String job,
        @Nullable String state,
        @Nullable Outcome outcome,
        @Nullable String node,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Position after,
        int limit) {

    /** A place in the order of tasks. */
    public record Position(Instant fireTime, long id) {}
}
