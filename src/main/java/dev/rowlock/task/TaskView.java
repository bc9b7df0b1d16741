package dev.rowlock.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.TaskFilter.TaskPosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Task as people see it, live or history.
 *
 * @param state one of {@code IDLE PREPARED EXECUTING ENDED}
 * @param outcome null unless it has ended
 * @param reason of the outcome; of a live task what holds it, in one text
 * @param hold a {@link Hold}, or a kind that only a newer version knows; null unless it is live and held
 * @param holdReason for people
 * @param occurrences how many fire times it stands for
 * @param lastFireTime the last of them
 * @param outputBytes how much the command has written, as far as the database knows
 * @param queuedAt since when it waited by policy; null: it never did
 * @param supersededBy the task because of which it did not run
 * @param replacedBy the task for which it was, or is to be, killed
 * @param overrides of this one run; in a list, only how large they are if they are large
 * @param note how it was run, where its host decides on that
 */
public record TaskView(
        long id,
        JobKey job,
        int jobVersion,
        Instant fireTime,
        @Nullable Instant dueAt,
        Origin origin,
        int attempt,
        String cause,
        String state,
        @Nullable String outcome,
        @Nullable String reason,
        @Nullable String hold,
        @Nullable String holdReason,
        @Nullable String node,
        @Nullable String session,
        @Nullable String launchId,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable Long latenessMs,
        @Nullable Long durationMs,
        @Nullable Integer exitCode,
        @Nullable Integer signal,
        long occurrences,
        Instant lastFireTime,
        @Nullable Long outputBytes,
        @Nullable Instant queuedAt,
        int priority,
        @Nullable String group,
        @Nullable Long supersededBy,
        @Nullable Long replacedBy,
        @Nullable JsonNode overrides,
        @Nullable String note) {

    /** Returns it as held by another policy. */
    public TaskView heldBy(Hold by, String why) {
        return new TaskView(
                id,
                job,
                jobVersion,
                fireTime,
                dueAt,
                origin,
                attempt,
                cause,
                state,
                outcome,
                why,
                by.name(),
                why,
                node,
                session,
                launchId,
                startedAt,
                endedAt,
                latenessMs,
                durationMs,
                exitCode,
                signal,
                occurrences,
                lastFireTime,
                outputBytes,
                queuedAt,
                priority,
                group,
                supersededBy,
                replacedBy,
                overrides,
                note);
    }

    /** Returns its position in the order of lists. */
    public TaskPosition position() {
        return new TaskPosition(fireTime, id);
    }

    public boolean isExecuting() {
        return state.equals("EXECUTING");
    }

    /** Returns whether a command ran, and did not decline. */
    public boolean ran() {
        return startedAt != null && (outcome == null || Outcome.read(outcome).isOfRun());
    }

    /** Returns whether it is a row of history. */
    public boolean isEnded() {
        return state.equals("ENDED");
    }
}
