package dev.rowlock.policy;

import dev.rowlock.job.Hold;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Which of the tasks that wait for others of their job may be started next. */
public final class WakeDecision {

    /** How many look whether a node has room again. It has for as many as ended together; there are seldom more. */
    private static final int FOR_ROOM = 8;

    private WakeDecision() {}

    /**
     * The earliest of those that wait for others, if nothing executes and nothing that is coming comes before it. What
     * a job does on one node of a broadcast goes by itself. And of those that wait for room on a node, the earliest.
     *
     * @param tasks all live tasks of a job
     */
    public static List<LiveTask> of(Collection<LiveTask> tasks) {
        Map<String, List<LiveTask>> byNode = new HashMap<>();
        tasks.forEach(task ->
                byNode.computeIfAbsent(node(task), node -> new ArrayList<>()).add(task));
        return Stream.concat(
                        byNode.values().stream().flatMap(scope -> next(scope).stream()),
                        tasks.stream()
                                .filter(task -> task.hold() == Hold.NODE)
                                .sorted(LiveTask.ORDER)
                                .limit(FOR_ROOM))
                .toList();
    }

    private static Optional<LiveTask> next(List<LiveTask> tasks) {
        return tasks.stream().anyMatch(LiveTask::isExecuting)
                ? Optional.empty()
                : tasks.stream()
                        .filter(task -> task.isComing() && (task.isAgain() || task.queued()))
                        .min(LiveTask.ORDER)
                        .filter(task -> task.hold() == Hold.OVERLAP);
    }

    private static String node(LiveTask task) {
        return task.origin().startsWith("node:") ? task.origin() : "";
    }
}
