package dev.rowlock.policy;

import dev.rowlock.job.Hold;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which of the tasks that wait for others of their job may be started next. */
public final class WakeDecision {

    /** How many look whether a node has room again. It has for as many as ended together; there are seldom more. */
    private static final int FOR_ROOM = 8;

    private WakeDecision() {}

    /**
     * The earliest of those that wait for others, if nothing executes and nothing that is coming comes before it. What
     * a job does on one node of a broadcast goes by itself, once its turn has come. And of those that wait for room on
     * a node, the earliest.
     *
     * @param tasks all live tasks of a job
     * @param parallel how many parts of a broadcast have their turn at once; null: all of them
     */
    public static List<LiveTask> of(Collection<LiveTask> tasks, @Nullable Integer parallel) {
        Map<String, List<LiveTask>> byNode = new HashMap<>();
        tasks.forEach(task ->
                byNode.computeIfAbsent(task.node(), node -> new ArrayList<>()).add(task));
        return Stream.concat(
                        byNode.values().stream()
                                .flatMap(scope -> next(scope).stream())
                                .filter(task ->
                                        Broadcast.before(task, tasks, parallel).isEmpty()),
                        tasks.stream()
                                .filter(task -> task.hold() == Hold.NODE)
                                .sorted(LiveTask.ORDER)
                                .limit(FOR_ROOM))
                .toList();
    }

    /**
     * Whether all live tasks of the job would say no more than these do: those that execute, and the earliest of those
     * that wait. Not if that one waits for a node, or for its own time, as others behind it may wait for something
     * else; and parts of a broadcast wait each in their place.
     */
    public static boolean isDecidedBy(Collection<LiveTask> first) {
        return first.stream()
                .allMatch(task -> task.node().isEmpty()
                        && (task.isExecuting()
                                || (task.hold() != Hold.NODE && (task.hold() != null || task.queued()))));
    }

    private static Optional<LiveTask> next(List<LiveTask> tasks) {
        return tasks.stream().anyMatch(LiveTask::isExecuting)
                ? Optional.empty()
                : tasks.stream()
                        .filter(task -> task.isComing() && (task.isAgain() || task.queued()))
                        .min(LiveTask.ORDER)
                        .filter(task -> task.hold() == Hold.OVERLAP);
    }
}
