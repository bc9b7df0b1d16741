package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Overrides;
import java.time.Instant;

/**
 * A task that was moved to executing by a commit known to have succeeded: its command may be started.
 *
 * @param fencingToken grows with every start of the job
 * @param overrides what somebody asked for in this one run
 * @param waited whether it had to wait by policy
 * @param lateFrom since when it is late: when its schedule, a retry or whoever asked for it had it start
 */
public record StartedTask(
        long id,
        long jobId,
        int version,
        int stripe,
        Instant fireTime,
        int attempt,
        Cause cause,
        LaunchId launch,
        long fencingToken,
        Overrides overrides,
        boolean waited,
        Instant lateFrom) {}
