package dev.rowlock.control;

import dev.rowlock.control.Refused.Reason;
import dev.rowlock.job.StoredJob;
import java.util.Optional;
import java.util.Set;

/**
 * What must be true of a job for a change to be made.
 *
 * @param versions it must be in one of these versions; empty: any
 * @param existing it must exist
 * @param missing it must not exist
 */
public record Precondition(Set<Integer> versions, boolean existing, boolean missing) {

    public static final Precondition NONE = new Precondition(Set.of(), false, false);

    void check(Optional<StoredJob> job) {
        if (job.isEmpty() && (existing || !versions.isEmpty())) {
            throw new Refused(Reason.OTHER_VERSION, "the job does not exist, but If-Match asks for one that does");
        }
        if (job.isPresent() && missing) {
            throw new Refused(Reason.OTHER_VERSION, "the job exists, but If-None-Match asks for one that does not");
        }
        job.ifPresent(this::check);
    }

    void check(StoredJob job) {
        if (!versions.isEmpty() && !versions.contains(job.version())) {
            throw new Refused(
                    Reason.OTHER_VERSION,
                    "the job is at version " + job.version() + ", not at the one named in If-Match; read it again");
        }
    }
}
