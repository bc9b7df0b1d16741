package dev.rowlock.task.store;

import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.Facts;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Other tasks of the jobs of fired tasks: no more than the decision needs. */
final class OtherTasks {

    private OtherTasks() {}

    /**
     * Reads the other tasks, by job.
     *
     * @param tasks those that are fired
     * @param concerned those of them that others may be in the way of
     */
    static Map<Long, List<Task>> of(Handle handle, Collection<Facts> tasks, Collection<Facts> concerned) {
        if (concerned.isEmpty()) {
            return Map.of();
        }
        Map<Long, List<Facts>> byJob = tasks.stream().collect(Collectors.groupingBy(Facts::jobId));
        Set<Long> whole = jobs(concerned.stream().filter(Facts::concernsAll).toList());
        Set<Long> first = jobs(concerned);
        first.removeAll(whole);
        Map<Long, List<Task>> others = new HashMap<>(LiveTasks.inTheWayOf(
                handle, tasks.stream().map(task -> task.task().id()).toList(), first));
        others.forEach((job, known) -> byJob.getOrDefault(job, List.of()).forEach(fired -> known.add(fired.task())));
        others.entrySet().stream()
                .filter(job -> byJob.getOrDefault(job.getKey(), List.of()).stream()
                        .anyMatch(task -> !task.isDecidedBy(job.getValue())))
                .forEach(job -> whole.add(job.getKey()));
        others.putAll(LiveTasks.of(handle, whole));
        return others;
    }

    private static Set<Long> jobs(Collection<Facts> tasks) {
        return tasks.stream().map(Facts::jobId).collect(Collectors.toCollection(HashSet::new));
    }
}
