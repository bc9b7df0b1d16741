package dev.rowlock.store.task;

import dev.rowlock.job.Origin;
import dev.rowlock.job.Outcome;
import dev.rowlock.policy.Broadcast;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.TaskHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Cancels what has not started of a broadcast of which a part has failed, where its job says so. */
final class Stopping {

    private Stopping() {}

    /** A part that has failed, or was not run again, and will not be. */
    record Failed(LiveTask part, long job, int stripe, Outcome outcome) {

        private String reason() {
            String what = switch (outcome) {
                case TIMED_OUT -> "timed out";
                case LOST -> "was lost";
                case MISSED -> "was not tried again";
                default -> "failed";
            };
            return "task " + part.id() + " on node " + Origin.node(part.origin()) + " " + what + " (stopOnFailure)";
        }
    }

    /** Those of these endings that are final, by their tasks and jobs: before the rows of the tasks go. */
    static List<Failed> failed(Handle handle, Map<Ending, Long> endings) {
        Map<Long, List<LiveTask>> tasks = LiveTasks.of(handle, Set.copyOf(endings.values()));
        List<Failed> failed = new ArrayList<>();
        endings.forEach((ending, job) -> tasks.getOrDefault(job, List.of()).stream()
                .filter(task -> task.id() == ending.taskId() && Objects.equals(task.launch(), ending.launch()))
                .forEach(part -> failed.add(new Failed(part, job, ending.stripe(), ending.outcome()))));
        return failed;
    }

    /** Under the stripe rows of their jobs. */
    static void after(Handle handle, Collection<Failed> failed) {
        if (failed.isEmpty()) {
            return;
        }
        Map<Long, List<LiveTask>> tasks =
                LiveTasks.of(handle, failed.stream().map(Failed::job).collect(Collectors.toSet()));
        Map<Long, Ending> endings = new LinkedHashMap<>();
        for (Failed one : failed) {
            for (LiveTask other : Broadcast.stoppedBy(one.part, tasks.getOrDefault(one.job, List.of()))) {
                endings.putIfAbsent(
                        other.id(),
                        Ending.without(other.id(), other.launch(), one.stripe, Outcome.CANCELLED, one.reason()));
            }
        }
        TaskHistory.record(handle, endings.values(), "");
        Waits.forget(handle, endings.keySet());
    }
}
