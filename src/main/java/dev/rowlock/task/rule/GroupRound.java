package dev.rowlock.task.rule;

import dev.rowlock.task.rule.FireDecision.StartFacts;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Slots of groups while the tasks of one transaction are decided. */
final class GroupRound {

    private final Map<String, GroupOccupancy> groups;
    private final Map<String, Integer> started = new HashMap<>();
    private final Map<Long, Instant> ranks = new HashMap<>();
    /** Tasks that are decided in this transaction: they are in nobody's way but by their turn. */
    private final Set<Long> own = new HashSet<>();

    private final Instant now;

    GroupRound(Map<String, GroupOccupancy> groups, Instant now, Iterable<StartFacts> tasks) {
        this.groups = groups;
        this.now = now;
        groups.values().forEach(group -> group.waiting().forEach(w -> ranks.put(w.task(), w.rank())));
        if (isConcerned()) {
            tasks.forEach(task -> own.add(task.task().id()));
        }
    }

    boolean isConcerned() {
        return !groups.isEmpty();
    }

    /** Returns the rank of a task: the earlier goes first. */
    Instant rank(StartFacts task) {
        @Nullable Instant waiting = ranks.get(task.task().id());
        return waiting == null
                ? Priority.rank(now, task.task().priorityIn(task.policy().priority()))
                : waiting;
    }

    /**
     * Returns why a task has to wait; empty: it may start. The reason omits limit and use: both change while it waits,
     * and nobody writes it again.
     */
    Optional<String> whyNot(StartFacts task) {
        @Nullable String name = task.policy().group();
        if (name == null) {
            return Optional.empty();
        }
        @Nullable GroupOccupancy group = groups.get(name);
        if (group == null || group.limit() == null) {
            return Optional.of("there is no group " + name + "; create it, or take the job out of it");
        }
        int limit = group.limit();
        int used = group.used() + started.getOrDefault(name, 0);
        if (used >= limit) {
            return Optional.of("no free slot in group " + name);
        }
        Instant rank = rank(task);
        long ahead = group.waiting().stream()
                .filter(other -> !own.contains(other.task()) && other.rank().isBefore(rank))
                .count();
        return used + ahead < limit
                ? Optional.empty()
                : Optional.of("the free slots in group " + name + " are for tasks that go first");
    }

    void start(StartFacts task) {
        @Nullable String name = task.policy().group();
        if (name != null) {
            started.merge(name, 1, Integer::sum);
        }
    }
}
