package dev.rowlock.store.history;

import dev.rowlock.job.Retry;
import org.jspecify.annotations.Nullable;

/**
 * What the policy of a job asks for once a task of it has ended, as it was when the task started. It goes with the
 * result, so that nothing has to be read for jobs that ask for nothing.
 *
 * @param retry how it is tried again; null: it succeeded, or this end is not worth a retry
 * @param wakes whether other tasks of the job may wait for its end
 * @param grouped whether it has a slot of a group
 */
public record FollowUp(long jobId, @Nullable Retry retry, boolean wakes, boolean grouped) {

    /** Null: there is nothing to do. */
    public static @Nullable FollowUp of(long jobId, @Nullable Retry retry, boolean wakes, boolean grouped) {
        return retry == null && !wakes && !grouped ? null : new FollowUp(jobId, retry, wakes, grouped);
    }
}
