package dev.rowlock.task;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reference to one task: its key, the lock row that guards it, and the claim under which it may be written.
 *
 * @param version of its job: the one that it was prepared with or, while nobody holds it, is to be prepared with
 * @param stripe {@code job_id mod 64}
 * @param launch the claim; null: nobody holds the task
 */
public record TaskRef(
        long id,
        long jobId,
        int version,
        int stripe,
        @Nullable LaunchId launch) {

    /** Returns the same task under this claim; null: held by nobody. */
    public TaskRef under(@Nullable LaunchId claim) {
        return new TaskRef(id, jobId, version, stripe, claim);
    }

    /** Returns the text of the claim; null: nobody holds the task. */
    @Nullable
    public String launchText() {
        return launch == null ? null : launch.text();
    }

    /** Returns the claim of a task that somebody holds. */
    public LaunchId held() {
        return Objects.requireNonNull(launch);
    }
}
