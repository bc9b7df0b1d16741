package dev.rowlock.task.rule;

import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Plan of what is written when the occurrences of a job change, in this order. Before all of it, the occurrence that
 * the cursor leaves becomes a task.
 *
 * @param links rows that get another next fire time
 * @param deletes rows that are deleted without a trace: another row stands for them, or they were promised to nobody
 * @param ends rows that become history
 * @param unmade fire times without a row, which become history
 * @param inserts new rows by their fire time, each with its next fire time
 * @param cursor where the cursor goes
 */
public record ReschedulingPlan(
        List<ChainLink> links,
        List<Long> deletes,
        List<PlannedEnd> ends,
        List<Unmade> unmade,
        SortedMap<Instant, @Nullable Instant> inserts,
        CursorMove cursor) {

    /**
     * Link to the next fire time.
     *
     * @param history whether the row is one of history
     */
    public record ChainLink(
            boolean history, long id, @Nullable Instant next) {}

    /**
     * End of rows.
     *
     * @param through the last row that the first stands for in history
     * @param span the fire times that it stands for
     */
    public record PlannedEnd(Task task, Task through, Outcome outcome, String reason, Span span) {

        static PlannedEnd cancelled(Task task, String reason, Span span) {
            return new PlannedEnd(task, task, Outcome.CANCELLED, reason, span);
        }

        /** Returns whether it was only prepared ahead, so that it never was an occurrence. */
        public boolean isWithdrawn(Instant now) {
            return outcome == Outcome.CANCELLED && task.fireTime().isAfter(now);
        }
    }

    /**
     * Fire times without a row.
     *
     * @param asBefore whether they belong to the version that was in force until now
     */
    public record Unmade(
            boolean asBefore,
            Span span,
            Outcome outcome,
            String reason,
            @Nullable Instant next) {}

    /**
     * Move of the cursor.
     *
     * @param leaves the occurrence at which it stands, which becomes a task
     * @param move likewise, if the cursor goes to {@code to} and leaves nothing behind
     * @param to the fire time of the cursor; null: it stays where it is, or there is none any more
     */
    public record CursorMove(
            @Nullable Task leaves,
            @Nullable Task move,
            @Nullable Instant to) {

        static final CursorMove STAYS = new CursorMove(null, null, null);
    }

    static ReschedulingPlan onlyEnding(List<PlannedEnd> ends) {
        return new ReschedulingPlan(
                List.of(), List.of(), ends, List.of(), Collections.emptySortedMap(), CursorMove.STAYS);
    }
}
