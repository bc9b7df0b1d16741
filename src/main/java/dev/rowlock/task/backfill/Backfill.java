package dev.rowlock.task.backfill;

import dev.rowlock.definition.JobKey;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeChoice;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Backfill as it is stored.
 *
 * @param fireTimes how many it has
 * @param askedBy null: nobody who is known
 * @param cancelledAt null: nobody has cancelled it
 * @param endedAt since when none of its fire times waits; null: some do
 */
public record Backfill(
        long id,
        long jobId,
        JobKey key,
        Instant from,
        Instant until,
        FireTimeChoice only,
        FireTimeOrder order,
        int parallel,
        int priority,
        int fireTimes,
        @Nullable String askedBy,
        Instant createdAt,
        @Nullable Instant cancelledAt,
        @Nullable String cancelledBy,
        @Nullable Instant endedAt) {

    /** Returns the origin of its tasks. */
    public Origin origin() {
        return Origin.backfill(id);
    }

    /** Returns whether a task belongs to it. */
    public boolean has(Task task) {
        return task.origin().isBackfill() && task.origin().backfill() == id;
    }

    /** Returns why what waits of it is cancelled. */
    public String whyCancelled() {
        return "backfill " + id + " was cancelled" + (cancelledBy == null ? "" : " by " + cancelledBy);
    }
}
