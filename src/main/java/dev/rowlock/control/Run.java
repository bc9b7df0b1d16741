package dev.rowlock.control;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.TaskState;
import dev.rowlock.store.job.JobChange;
import java.util.List;
import java.util.Optional;

/** @param warnings why it may not come to anything */
public record Run(long task, List<String> warnings) {

    static List<String> overlaps(JobChange change) {
        return change.tasks().live().stream()
                .filter(task -> task.state() == TaskState.EXECUTING)
                .flatMap(task -> overlap(task.id(), change.job().definition()).stream())
                .toList();
    }

    private static Optional<String> overlap(long executing, JobDefinition job) {
        String running = "the job is running (task " + executing + "): ";
        return switch (job.overlap()) {
            case SKIP ->
                Optional.of(running + "this run will be recorded as SKIPPED unless that one ends at once; kill it"
                        + " first, or wait for its end");
            case QUEUE -> Optional.of(running + "this run waits until that one has ended");
            case REPLACE -> Optional.of(running + "that one is killed, and this run starts when it has ended");
            case ALLOW -> Optional.empty();
        };
    }
}
