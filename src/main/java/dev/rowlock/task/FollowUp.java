package dev.rowlock.task;

import dev.rowlock.definition.Retry;
import org.jspecify.annotations.Nullable;

/**
 * Work that the policy of a job requires once a task of it has ended, as it was when the task started. It is kept with
 * the result, so that nothing has to be read for jobs that require nothing.
 *
 * @param retry how it is retried; null: it succeeded, or this end is not worth a retry
 * @param wakes whether other tasks of the job may wait for its end
 * @param grouped whether it has a slot of a group
 * @param stops whether it failed, and what has not started of the same broadcast is cancelled for that
 */
public record FollowUp(@Nullable Retry retry, boolean wakes, boolean grouped, boolean stops) {

    /** Returns the work; null: there is none. */
    public static @Nullable FollowUp of(@Nullable Retry retry, boolean wakes, boolean grouped, boolean stops) {
        return retry == null && !wakes && !grouped && !stops ? null : new FollowUp(retry, wakes, grouped, stops);
    }
}
