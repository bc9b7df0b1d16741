package dev.rowlock.definition;

import java.time.Instant;

/**
 * Job as it was read.
 *
 * @param version rises by one with every change of the definition or the pause
 * @param pause {@link Pause#OPEN} unless the job is paused
 */
public record StoredJob(
        long id, int version, StoredDefinition stored, Pause pause, Instant createdAt, Instant updatedAt) {

    /** Returns the understood part of its definition; all of it, if {@code stored} says so. */
    public JobDefinition definition() {
        return stored.definition();
    }

    public JobKey key() {
        return definition().key();
    }
}
