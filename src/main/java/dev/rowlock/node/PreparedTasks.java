package dev.rowlock.node;

import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Priority;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks that this node has prepared, as far as it knows. Accessed only through {@link LocalTasks#locked}, under its
 * lock.
 */
public final class PreparedTasks {

    /**
     * Order of due times. Tasks that are due at one instant are sorted by stripe, so that a batch locks few of them.
     */
    private static final Comparator<Task> SOONEST =
            Comparator.comparing(Task::due).thenComparingInt(Task::stripe).thenComparingLong(Task::id);

    private final Map<Long, Task> byId = new HashMap<>();
    private final TreeSet<Task> byDue = new TreeSet<>(SOONEST);
    private final AtomicInteger count;
    private int prioritized;

    /**
     * Creates an empty set.
     *
     * @param count follows the size, for those who do not hold the lock
     */
    PreparedTasks(AtomicInteger count) {
        this.count = count;
    }

    /** Adds tasks, each in place of what was known of it under an earlier claim. */
    public void add(Collection<Task> tasks) {
        for (Task task : tasks) {
            drop(task.id());
            byId.put(task.id(), task);
            byDue.add(task);
            prioritized += task.priority() == 0 ? 0 : 1;
        }
        count.set(byId.size());
    }

    public void drop(long taskId) {
        Task task = byId.remove(taskId);
        if (task != null) {
            byDue.remove(task);
            prioritized -= task.priority() == 0 ? 0 : 1;
        }
        count.set(byId.size());
    }

    /** Forgets what was prepared under other launch ids than these. */
    public void keepOnly(Set<LaunchId> launches) {
        byId.values().removeIf(task -> !launches.contains(task.ref().held()));
        byDue.removeIf(task -> !launches.contains(task.ref().held()));
        prioritized = (int) byDue.stream().filter(task -> task.priority() != 0).count();
        count.set(byId.size());
    }

    public void clear() {
        keepOnly(Set.of());
    }

    /** Returns a live view, in the order of due times. */
    public Iterable<Task> bySoonest() {
        return byDue;
    }

    /**
     * Returns what is due by then: soonest first, but a task with priority earlier, by a minute for each point. What
     * waits gains on it.
     */
    public Iterable<Task> dueInTurn(Instant now) {
        if (prioritized == 0) {
            return byDue;
        }
        return byDue.stream()
                .takeWhile(task -> !task.due().isAfter(now))
                .sorted(Comparator.comparing(task -> Priority.rank(task.due(), task.priority())))
                .toList();
    }

    /** Returns the lowest priority among what is due by then; the default priority if nothing is. */
    public int lowestPriorityDue(Instant now) {
        return prioritized == 0
                ? 0
                : byDue.stream()
                        .takeWhile(task -> !task.due().isAfter(now))
                        .mapToInt(Task::priority)
                        .min()
                        .orElse(0);
    }

    public int countDue(Instant now) {
        int due = 0;
        for (Task task : byDue) {
            if (task.due().isAfter(now)) {
                break;
            }
            due++;
        }
        return due;
    }

    public int size() {
        return byId.size();
    }

    public boolean contains(long taskId) {
        return byId.containsKey(taskId);
    }

    public boolean contains(long taskId, LaunchId launch) {
        Task task = byId.get(taskId);
        return task != null && launch.equals(task.launch());
    }
}
