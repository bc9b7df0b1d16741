package dev.rowlock.task.store;

import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.rule.Broadcast;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Cancellation of what has not started of a broadcast of which a part has failed, where its job says so. */
public final class Stopping {

    private Stopping() {}

    /** Part that has failed, or was not run again, and will not be. */
    public record Failed(Task part, Outcome outcome) {

        private String reason() {
            String what = switch (outcome) {
                case TIMED_OUT -> "timed out";
                case LOST -> "was lost";
                case MISSED -> "was not tried again";
                default -> "failed";
            };
            return "task " + part.id() + " on node " + part.origin().node() + " " + what + " (stopOnFailure)";
        }
    }

    /** Returns the parts of these final endings. Call before the rows of the tasks are deleted. */
    public static List<Failed> failed(Handle handle, Collection<Ending> endings) {
        Set<Long> jobs = endings.stream().map(ending -> ending.task().jobId()).collect(Collectors.toSet());
        Map<Long, List<Task>> tasks = LiveTasks.of(handle, jobs);
        List<Failed> failed = new ArrayList<>();
        endings.forEach(ending -> tasks.getOrDefault(ending.task().jobId(), List.of()).stream()
                .filter(task -> task.id() == ending.taskId() && Objects.equals(task.launch(), ending.launch()))
                .forEach(part -> failed.add(new Failed(part, ending.outcome()))));
        return failed;
    }

    /** Cancels the others after these failures. Call under the stripe rows of their jobs. */
    public static void after(Handle handle, Collection<Failed> failed) {
        if (failed.isEmpty()) {
            return;
        }
        Map<Long, List<Task>> tasks = LiveTasks.of(
                handle, failed.stream().map(one -> one.part.jobId()).collect(Collectors.toSet()));
        Map<Long, Ending> endings = new LinkedHashMap<>();
        for (Failed one : failed) {
            for (Task other : Broadcast.stoppedBy(one.part, tasks.getOrDefault(one.part.jobId(), List.of()))) {
                endings.putIfAbsent(other.id(), Ending.without(other.ref(), Outcome.CANCELLED, one.reason()));
            }
        }
        TaskHistory.record(handle, endings.values(), "");
        Waits.forget(handle, endings.keySet());
    }
}
