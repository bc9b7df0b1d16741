package dev.rowlock.store.history;

import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How one task ended.
 *
 * @param launch what the row must still carry; null for a task that nobody holds
 * @param endedAt null: now, by the database's clock
 * @param durationMillis by the monotonic clock; null if it did not run or nobody knows
 * @param outputBytes what the command wrote; what is kept of it may be stored a moment later
 * @param supersededBy the task for which it did not run; null: it ran, or there is no such task
 * @param followUp what is to be done then; null: nothing
 * @param note how it was run, where its host decides on that; null: nothing is to be said
 */
public record Ending(
        long taskId,
        @Nullable LaunchId launch,
        int stripe,
        Outcome outcome,
        @Nullable String reason,
        @Nullable Instant endedAt,
        @Nullable Long durationMillis,
        @Nullable Integer exitCode,
        @Nullable Integer exitSignal,
        @Nullable Long outputBytes,
        @Nullable Long supersededBy,
        @Nullable FollowUp followUp,
        @Nullable String note) {

    /** The reason of what a node had to end because it was stopped: it says nothing against the command. */
    public static final String NODE_STOPPED = "the node was stopped";

    /** The reason of what was killed, until history says for which task. */
    public static final String ON_REQUEST = "killed on request";

    private static final int REASON_LENGTH = 500;
    private static final int NOTE_LENGTH = 200;

    public Ending {
        reason = cut(reason, REASON_LENGTH);
        note = cut(note, NOTE_LENGTH);
    }

    private static @Nullable String cut(@Nullable String text, int most) {
        return text == null || text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /** The same without the parts of it that are free text. */
    public Ending withoutReason() {
        return new Ending(
                taskId,
                launch,
                stripe,
                outcome,
                null,
                endedAt,
                durationMillis,
                exitCode,
                exitSignal,
                outputBytes,
                supersededBy,
                followUp,
                null);
    }

    /** The end of a task that nobody holds, or asks for any more. */
    public static Ending cancelled(long taskId, Instant endedAt, String reason) {
        return new Ending(
                taskId, null, 0, Outcome.CANCELLED, reason, endedAt, null, null, null, null, null, null, null);
    }

    /** The end of a task that did not run. */
    public static Ending without(long taskId, @Nullable LaunchId launch, int stripe, Outcome outcome, String reason) {
        return new Ending(taskId, launch, stripe, outcome, reason, null, null, null, null, null, null, null, null);
    }

    /** The same; what did not run because of that task. */
    public Ending supersededBy(@Nullable Long task) {
        return new Ending(
                taskId,
                launch,
                stripe,
                outcome,
                reason,
                endedAt,
                durationMillis,
                exitCode,
                exitSignal,
                outputBytes,
                task,
                followUp,
                note);
    }
}
