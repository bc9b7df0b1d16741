package dev.rowlock.task.transition;

import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.store.Cursors;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plan for one candidate: it is prepared under {@code launch}. If the cursor of its job stands there, so are the {@code
 * further} occurrences of the job, and the cursor moves to {@code nextCursor}.
 *
 * @param passed occurrences that are skipped instead, and follow the task; null: none is
 * @param nextCursor null: the schedule has no further fire time
 * @param terms what the new rows inherit from their job
 */
public record Acquisition(
        Task task,
        LaunchId launch,
        List<Further> further,
        @Nullable Span passed,
        @Nullable Instant nextCursor,
        Terms terms) {

    /** Occurrence that is made and prepared together with the one before it. */
    public record Further(Instant fireTime, LaunchId launch) {}

    /** Returns the number of skipped fire times. */
    public long skipped() {
        return passed == null ? 0 : passed.count();
    }

    /** Returns when the last of the skipped occurrences was due; null: none is skipped. */
    @Nullable
    Instant passedDueAt() {
        return passed == null ? null : passed.last().plus(terms.jitter());
    }

    /** Returns the move of the cursor. */
    Cursors.Move move() {
        return new Cursors.Move(task.jobId(), task.id(), task.version(), task.fireTime(), nextCursor, terms.jitter());
    }

    @Nullable
    Instant nextFireTime() {
        if (passed != null) {
            return passed.first();
        }
        return further.isEmpty() ? nextCursor : further.get(0).fireTime();
    }

    @Nullable
    Instant nextFireTimeAfter(int index) {
        return index + 1 < further.size() ? further.get(index + 1).fireTime() : nextCursor;
    }
}
