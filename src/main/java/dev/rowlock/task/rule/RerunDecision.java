package dev.rowlock.task.rule;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Origin;
import dev.rowlock.task.RerunRequest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decision whether a task that went wrong runs again when somebody requests all that did. */
public final class RerunDecision {

    /** Reason why nothing of a deleted job runs again. */
    public static final String DELETED = "the job was deleted";

    private RerunDecision() {}

    /**
     * Row of history, and what came of its occurrence since.
     *
     * @param lastFireTime of all that it stands for
     * @param occurrences how many that are
     * @param jobIsThere whether its job was not deleted
     * @param later another attempt at the same occurrence, that waits, executes or has ended; null: none
     * @param again the task that was made of it before; null: none, or it was skipped, killed or cancelled
     * @param attempts the number of the last attempt at that
     * @param caughtUp the catch-up that ran for it and for those before it; null: none
     * @param withdrawn whether an edit or a deletion took it back before its fire time
     */
    public record Original(
            long id,
            long jobId,
            JobKey job,
            Instant fireTime,
            Instant lastFireTime,
            long occurrences,
            Origin origin,
            Outcome outcome,
            boolean jobIsThere,
            @Nullable Long later,
            @Nullable Long again,
            int attempts,
            @Nullable Long caughtUp,
            boolean withdrawn) {}

    /** Returns why it does not run again, for people; empty: it does. */
    public static Optional<String> leftOut(Original original) {
        if (!original.jobIsThere) {
            return Optional.of(DELETED);
        }
        if (!RerunRequest.canRunAgain(original.outcome)) {
            return Optional.of("it ended as " + original.outcome + ": run the job itself");
        }
        if (original.withdrawn) {
            return Optional.of("it was taken back before its fire time, and so was never due");
        }
        if (original.later != null) {
            return Optional.of("task " + original.later + " is a later attempt at the same occurrence");
        }
        if (original.again != null) {
            return Optional.of("task " + original.again + " ran it again already, or is going to");
        }
        if (original.caughtUp != null) {
            return Optional.of(
                    "task " + original.caughtUp + " has caught up: it stands for this occurrence and those before it");
        }
        return Optional.empty();
    }
}
