package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import java.time.Instant;

/**
 * A task that could be taken, as an unlocked read saw it; whether it still can is decided under its shard row.
 *
 * @param version the job's version at that moment
 * @param selector which nodes may run it, see {@link SelectorStore}
 * @param cursor whether the job's next occurrence will be made from this row
 */
public record Candidate(
        long id,
        long jobId,
        int version,
        int shard,
        Instant fireTime,
        Instant dueAt,
        Cause cause,
        int selector,
        boolean cursor) {}
