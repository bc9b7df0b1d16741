package dev.rowlock.engine.schedule;

import dev.rowlock.engine.NodeContext;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Priority;
import dev.rowlock.store.task.Acquire;
import dev.rowlock.store.task.Candidate;
import dev.rowlock.store.task.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What goes first of the tasks that could be prepared, where slots lack. */
final class Priorities {

    /** How long a long backlog is not searched again for what has priority. */
    private static final Duration REST = Duration.ofMillis(100);
    /** A search reads all that is due: it may take so small a share of the time. */
    private static final int SHARE = 20;

    private final NodeContext node;
    private final Acquire acquire;
    private final DefinitionCache definitionCache;
    private long restsUntilNanos;

    Priorities(NodeContext node, Acquire acquire, DefinitionCache definitionCache) {
        this.node = node;
        this.acquire = acquire;
        this.definitionCache = definitionCache;
        this.restsUntilNanos = node.nanos().getAsLong();
    }

    /**
     * What was found, and where slots lack and the backlog is longer than one scan, what has priority behind its end.
     */
    Acquire.Found search(Acquire.Scan scan, Acquire.Found found) {
        if (found.end() == null || !node.slots().areLacked()) {
            return found;
        }
        Set<Long> known = found.candidates().stream().map(Candidate::id).collect(Collectors.toSet());
        List<Candidate> all = new ArrayList<>(waiting(scan.leftOut(), scan.placement()));
        all.removeIf(candidate -> known.contains(candidate.id()));
        all.addAll(found.candidates());
        return new Acquire.Found(all, found.end(), found.othersDue());
    }

    /** What is due and has priority; nothing if that was asked a moment ago. */
    List<Candidate> waiting(LeftOut leftOut, Placement placement) {
        long began = node.nanos().getAsLong();
        if (began - restsUntilNanos < 0) {
            return List.of();
        }
        List<Candidate> found =
                acquire.prioritized(leftOut, placement, node.settings().batch());
        long ended = node.nanos().getAsLong();
        restsUntilNanos = ended + Math.max(REST.toNanos(), SHARE * (ended - began));
        return found;
    }

    /** Of what is due, what has priority goes first. */
    List<Candidate> inTurn(List<Candidate> candidates, Instant now) {
        return candidates.stream().allMatch(task -> of(task) == 0)
                ? candidates
                : candidates.stream()
                        .sorted(Comparator.comparing(task ->
                                task.dueAt().isAfter(now) ? task.dueAt() : Priority.rank(task.dueAt(), of(task))))
                        .toList();
    }

    /**
     * Whether a task is prepared although others that wait here would take all slots.
     *
     * @param planned how many tasks are prepared with it
     */
    boolean overtakes(Candidate task, int planned) {
        return of(task) > 0 && planned < node.slots().free();
    }

    private int of(Candidate task) {
        return definitionCache
                .find(task.jobId(), task.version())
                .map(entry -> entry.terms().priority())
                .orElse(0);
    }
}
