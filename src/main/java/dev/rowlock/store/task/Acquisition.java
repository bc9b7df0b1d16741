package dev.rowlock.store.task;

import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.Span;
import dev.rowlock.policy.Terms;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of one candidate: it is prepared under {@code launch}. If the cursor of its job stands there, so
 * are the {@code further} occurrences of the job, and the cursor moves to {@code nextCursor}.
 *
 * @param passed those that are skipped instead, and follow the task; null: none is
 * @param nextCursor null: the schedule asks for nothing more
 * @param terms what the new rows have of their job
 */
public record Acquisition(
        Task task,
        LaunchId launch,
        List<Further> further,
        @Nullable Span passed,
        @Nullable Instant nextCursor,
        Terms terms) {

    /** An occurrence made and prepared together with the one before it. */
    public record Further(Instant fireTime, LaunchId launch) {}

    /** How many fire times it skips. */
    public long skipped() {
        return passed == null ? 0 : passed.count();
    }

    /** When the last of those that are skipped was due; null: none is. */
    @Nullable
    Instant passedDueAt() {
        return passed == null ? null : passed.last().plus(terms.jitter());
    }

    /** What becomes of the cursor. */
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
