package dev.rowlock.definition;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Definition or pause that a job has, or had.
 *
 * @param jobId a job that was deleted and made again has another one, and goes on with the versions of its name
 * @param from since when it was in force
 * @param until null: it is in force
 * @param changedBy who made it; null: Rowlock itself, or not known
 */
public record StoredVersion(
        long jobId,
        int version,
        StoredDefinition stored,
        Pause pause,
        Instant from,
        @Nullable Instant until,
        @Nullable String changedBy) {

    public boolean isInForce() {
        return until == null;
    }

    /** Returns the differences to another version, including pauses. */
    public List<FieldChange> changesTo(StoredVersion other) {
        return FieldChange.between(
                FieldChange.withPause(stored, pause), FieldChange.withPause(other.stored, other.pause));
    }
}
