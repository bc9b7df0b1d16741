package dev.rowlock.store;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobKey;
import java.time.Instant;

/**
 * A job as it was read.
 *
 * @param version rises by one with every change of the definition or the pause
 */
public record StoredJob(long id, int version, JobDefinition definition, Instant createdAt, Instant updatedAt) {

    public JobKey key() {
        return definition.key();
    }
}
