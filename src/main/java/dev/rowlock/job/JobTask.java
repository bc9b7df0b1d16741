package dev.rowlock.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A live task of a job that is being changed.
 *
 * @param nextFireTime the fire time that follows in the chain; null: nothing does, or nobody knows yet
 * @param origin empty for what the schedule asked for, with its retries and recoveries
 * @param started whether it is executing, or was on a node that is lost, which could not be recorded yet
 * @param cursor whether it has no row yet: it is where the cursor stands, which keeps this id for it
 */
public record JobTask(
        long id,
        Instant fireTime,
        @Nullable Instant nextFireTime,
        String origin,
        int attempt,
        Cause cause,
        TaskState state,
        boolean started,
        boolean cursor) {

    /** Whether it is the first attempt at something that the schedule asked for. */
    public boolean isOccurrence() {
        return origin.isEmpty() && isFirst();
    }

    /** Whether it is the first attempt of a node at its part of something that the schedule asked for. */
    public boolean isPart() {
        return Origin.isOfNode(origin) && Origin.isScheduled(origin) && isFirst();
    }

    private boolean isFirst() {
        return attempt == 1 && (cause == Cause.SCHEDULE || cause == Cause.CATCH_UP);
    }
}
