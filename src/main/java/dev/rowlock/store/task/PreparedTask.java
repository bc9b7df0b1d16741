package dev.rowlock.store.task;

import dev.rowlock.job.LaunchId;
import java.time.Instant;

/**
 * A task that a session has prepared: it will be fired when it is due.
 *
 * @param selector which nodes may run it, see {@link SelectorStore}
 */
public record PreparedTask(
        long id,
        long jobId,
        int version,
        int stripe,
        Instant fireTime,
        Instant dueAt,
        LaunchId launch,
        int priority,
        int selector) {}
