package dev.rowlock.task.rule;

import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.Task;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decision which of the tasks that wait for others of their job are woken when one of those leaves. Whoever takes a
 * task out of the way of others, in whatever manner, calls it in the same transaction. Tasks that wait for a group or
 * for a node that may run them are not woken here, but by steps that look for them from time to time.
 */
public final class WakeDecision {

    /**
     * Number of tasks that look whether a node has room again. It has for as many as ended together, which are seldom
     * more.
     */
    private static final int FOR_ROOM = 8;

    private WakeDecision() {}

    /** Resource that becomes free when a task leaves. */
    public enum FreedResource {
        /** Turn and room on a node of a task that executed. */
        RUN,
        /** Turn of a task that had not started. It ended, was set aside, or waits for a node and lets others by. */
        TURN
    }

    /**
     * Rules of the job for those that wait.
     *
     * @param parallel how many parts of a broadcast have their turn at once; null: all of them
     * @param overlaps of those that wait, by their ids: that of the run, or of the job. A task that is missing obeys
     *     {@code QUEUE}; where {@link #isAmbiguous}, none is missing
     */
    public record WakeRules(@Nullable Integer parallel, Map<Long, Overlap> overlaps) {

        /** Rules of a job without any. */
        public static final WakeRules NONE = new WakeRules(null, Map.of());

        private boolean queues(Task waiting) {
            return overlaps.getOrDefault(waiting.id(), Overlap.QUEUE) == Overlap.QUEUE;
        }
    }

    /**
     * Returns the earliest of those that wait for others, if nothing executes and nothing that is coming comes before
     * it. What a job does on one node of a broadcast goes by itself, once its turn has come. Also returns the earliest
     * of those that wait for room on a node.
     *
     * @param tasks all live tasks of a job
     */
    public static List<Task> of(Collection<Task> tasks, FreedResource left, WakeRules rules) {
        Stream<Task> turns = byNode(tasks).values().stream()
                .flatMap(scope -> next(scope, rules::queues).stream())
                .filter(task -> Broadcast.before(task, tasks, rules.parallel).isEmpty());
        Stream<Task> room = left == FreedResource.TURN
                ? Stream.empty()
                : tasks.stream()
                        .filter(task -> task.hold() == Hold.NODE)
                        .sorted(Task.BY_FIRE_TIME)
                        .limit(FOR_ROOM);
        return Stream.concat(turns, room).toList();
    }

    /**
     * Returns whether all live tasks of the job would decide no more than these do: those that execute, and the
     * earliest of those that wait. They do not suffice if that one waits for a node, or for its own time, as others
     * behind it may wait for something else; and parts of a broadcast wait each in their place.
     */
    public static boolean isDecidedBy(Collection<Task> first) {
        return first.stream()
                .allMatch(task -> task.origin().node().isEmpty()
                        && (task.isExecuting()
                                || (task.hold() == null
                                        ? task.queued()
                                        : !task.hold().has(Trait.LETS_BY))));
    }

    /** Returns whether the overlap of a task decides if it is woken: one that waits for its own time is earlier. */
    public static boolean isAmbiguous(Collection<Task> tasks) {
        return byNode(tasks).values().stream()
                .anyMatch(scope -> !next(scope, task -> false).equals(next(scope, task -> true)));
    }

    private static Map<String, List<Task>> byNode(Collection<Task> tasks) {
        return tasks.stream()
                .collect(Collectors.groupingBy(task -> task.origin().node(), HashMap::new, Collectors.toList()));
    }

    /**
     * Returns the next task. A retry or recovery that waits for its time has a place under {@code QUEUE} alone, until
     * policy held it.
     */
    private static Optional<Task> next(List<Task> scope, Predicate<Task> queues) {
        return scope.stream().anyMatch(Task::isExecuting)
                ? Optional.empty()
                : scope.stream()
                        .filter(task -> task.isComing() && task.queued())
                        .min(Task.BY_FIRE_TIME)
                        .filter(task -> task.hold() == Hold.OVERLAP)
                        .filter(task -> !queues.test(task)
                                || scope.stream()
                                        .noneMatch(other ->
                                                other.isComing() && other.isFurtherAttempt() && other.isBefore(task)));
    }
}
