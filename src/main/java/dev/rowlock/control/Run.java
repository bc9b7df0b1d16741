package dev.rowlock.control;

import dev.rowlock.job.TaskState;
import dev.rowlock.store.job.JobChange;
import java.util.List;

/** @param warnings why it may not come to anything */
public record Run(long task, List<String> warnings) {

    static List<String> overlaps(JobChange change) {
        return change.tasks().live().stream()
                .filter(task -> task.state() == TaskState.EXECUTING)
                .map(task -> "the job is running (task " + task.id() + "): this run will be recorded as SKIPPED unless"
                        + " that one ends at once; kill it first, or wait for its end")
                .toList();
    }
}
