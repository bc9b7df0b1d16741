package dev.rowlock.node.scheduler;

import dev.rowlock.node.NodeContext;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Priority;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.transition.Acquire.ScanBounds;
import dev.rowlock.task.transition.ScanFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Order of the tasks that could be prepared, where slots lack. */
final class Priorities {

    /** Least time between two searches of a long backlog for tasks with priority. */
    private static final Duration REST = Duration.ofMillis(100);
    /** Inverse of the share of the time that a search may take, as it reads all that is due. */
    private static final int SHARE = 20;

    private final NodeContext node;
    private final Acquire acquire;
    private long restsUntilNanos;

    Priorities(NodeContext node, Acquire acquire) {
        this.node = node;
        this.acquire = acquire;
        this.restsUntilNanos = node.nanos().getAsLong();
    }

    /**
     * Adds to what was found, where slots lack and the backlog is longer than one scan, tasks behind its end that go
     * before some of it.
     */
    AcquirableTasks search(ScanBounds scan, AcquirableTasks found) {
        if (found.end() == null || !node.slots().areLacked()) {
            return found;
        }
        int lowest = found.candidates().stream().mapToInt(Task::priority).min().orElse(0);
        Set<Long> known = found.candidates().stream().map(Task::id).collect(Collectors.toSet());
        List<Task> all = new ArrayList<>(waiting(lowest, scan.filter()));
        all.removeIf(candidate -> known.contains(candidate.id()));
        all.addAll(found.candidates());
        return new AcquirableTasks(all, found.end(), found.othersDue());
    }

    /** Returns what is due and has a higher priority than that; nothing if that was searched a moment ago. */
    List<Task> waiting(int above, ScanFilter filter) {
        long began = node.nanos().getAsLong();
        if (began - restsUntilNanos < 0) {
            return List.of();
        }
        List<Task> found =
                acquire.backlog().prioritized(above, filter, node.settings().batch());
        long ended = node.nanos().getAsLong();
        restsUntilNanos = ended + Math.max(REST.toNanos(), SHARE * (ended - began));
        return found;
    }

    /** Sorts the candidates: of what is due, tasks with priority go first. */
    List<Task> inTurn(List<Task> candidates, Instant now) {
        return candidates.stream().allMatch(task -> task.priority() == 0)
                ? candidates
                : candidates.stream()
                        .sorted(Comparator.comparing(task ->
                                task.due().isAfter(now) ? task.due() : Priority.rank(task.due(), task.priority())))
                        .toList();
    }
}
