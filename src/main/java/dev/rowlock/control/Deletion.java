package dev.rowlock.control;

import dev.rowlock.control.Elapsed.Span;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.TaskState;
import dev.rowlock.store.job.JobChange;
import dev.rowlock.store.task.JobTask;
import java.time.Instant;

/** What becomes of a job's tasks when it is deleted: what was promised ends as cancelled, what is executing finishes by itself. */
final class Deletion {

    private static final String REASON = "the job was deleted";

    private final JobChange change;
    private final Elapsed elapsed;

    Deletion(JobChange change, Elapsed elapsed) {
        this.change = change;
        this.elapsed = elapsed;
    }

    void carryOut() {
        change.tasks().unprepare();
        for (JobTask task : change.tasks().live()) {
            if (task.cursor()) {
                endCursor(task);
            } else if (task.state() != TaskState.EXECUTING) {
                change.tasks().end(task.id(), Outcome.CANCELLED, REASON);
            }
        }
        change.delete();
    }

    private void endCursor(JobTask cursor) {
        Instant now = change.now();
        if (cursor.fireTime().isAfter(now)) {
            change.tasks().end(cursor.id(), Outcome.CANCELLED, REASON);
        } else {
            Span span = elapsed.between(cursor.fireTime(), now);
            change.tasks().end(cursor.id(), Outcome.CANCELLED, REASON, span.count(), span.last());
        }
    }
}
