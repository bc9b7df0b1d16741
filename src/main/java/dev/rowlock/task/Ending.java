package dev.rowlock.task;

import dev.rowlock.definition.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * End of one task.
 *
 * @param task with the claim that the row must still carry; none if nobody holds it
 * @param endedAt null: now, by the database's clock
 * @param durationMillis by the monotonic clock; null if it did not run or it is unknown
 * @param outputBytes written by the command; the part that is kept may be stored a moment later
 * @param supersededBy the task for which it did not run; null: it ran, or there is no such task
 * @param followUp further work; null: none
 * @param note how it was run, where its host decides on that; null: there is nothing to note
 */
public record Ending(
        TaskRef task,
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

    /** Reason of a task that a node had to end because it was stopped: it says nothing against the command. */
    public static final String NODE_STOPPED = "the node was stopped";

    /** Reason of a killed task, until history says for which task. */
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

    /** Returns this ending without its free text. */
    public Ending withoutReason() {
        return new Ending(
                task,
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

    /** Returns the end of a task that did not run, as of now. */
    public static Ending without(TaskRef task, Outcome outcome, String reason) {
        return new Ending(task, outcome, reason, null, null, null, null, null, null, null, null);
    }

    /** Returns the end of a task that did not run, as of then. */
    public static Ending cancelled(TaskRef task, Instant endedAt, String reason) {
        return new Ending(task, Outcome.CANCELLED, reason, endedAt, null, null, null, null, null, null, null);
    }

    /** Returns the same end of what did not run because of another task. */
    public Ending supersededBy(@Nullable Long other) {
        return new Ending(
                task,
                outcome,
                reason,
                endedAt,
                durationMillis,
                exitCode,
                exitSignal,
                outputBytes,
                other,
                followUp,
                note);
    }

    public long taskId() {
        return task.id();
    }

    @Nullable
    public LaunchId launch() {
        return task.launch();
    }
}
