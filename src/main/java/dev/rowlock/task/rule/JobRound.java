package dev.rowlock.task.rule;

import static dev.rowlock.task.rule.OverlapDecision.stillExecuting;
import static dev.rowlock.task.rule.OverlapDecision.stillWaiting;

import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.Displaced;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import dev.rowlock.task.rule.OverlapDecision.OverlapFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Other tasks of their jobs while the tasks of one transaction are decided. */
final class JobRound {

    private final String session;
    private final Map<Long, List<Task>> known = new HashMap<>();
    /** Started tasks of jobs whose other tasks are not known. */
    private final Map<Long, Long> started = new HashMap<>();
    /** First held tasks of such jobs. */
    private final Map<Long, Long> held = new HashMap<>();
    /** Tasks that have come to an end. */
    private final Set<Long> ended = new HashSet<>();

    JobRound(FireDecision.Shared shared) {
        this.session = shared.session();
        shared.others().forEach((job, live) -> known.put(job, new ArrayList<>(live)));
    }

    /**
     * Returns whether tasks of this job are decided in the order of their fire times, as one may be in the way of
     * another.
     */
    boolean isInOrder(StartFacts facts) {
        return known.containsKey(facts.jobId()) || facts.waiting() != null;
    }

    /** Returns the live tasks of its job as the decisions so far leave them; none if they are not known. */
    List<Task> of(StartFacts facts) {
        return known.getOrDefault(facts.jobId(), List.of());
    }

    OverlapDecision overlap(StartFacts facts) {
        if (known.containsKey(facts.jobId())) {
            List<Task> rest = of(facts).stream()
                    .filter(other -> other.id() != facts.task().id()
                            && isInScope(facts.task(), other)
                            && !other.isFrozenBeside(facts.task()))
                    .toList();
            return OverlapDecision.of(
                    new OverlapFacts(facts.task(), rest, facts.policy(), facts.mayWait(), facts.elsewhere() != null));
        }
        if (facts.policy().overlap() == Overlap.ALLOW) {
            return OverlapDecision.START;
        }
        if (facts.executing() != null) {
            return OverlapDecision.skipped(stillExecuting(facts.executing(), Overlap.SKIP), facts.executing());
        }
        @Nullable Long first = started.get(facts.jobId());
        if (first != null) {
            return OverlapDecision.skipped(
                    "task " + first + ", another occurrence of the job, started at the same moment (overlap SKIP)",
                    first);
        }
        @Nullable Long waiting = waiting(facts);
        if (waiting != null && facts.task().yieldsTo(waiting)) {
            return OverlapDecision.skipped(stillWaiting(waiting), waiting);
        }
        return facts.backfill() == null ? OverlapDecision.START : OverlapDecision.behind(facts.backfill());
    }

    private @Nullable Long waiting(StartFacts facts) {
        @Nullable Long found = facts.waiting();
        return found == null || ended.contains(found) ? held.get(facts.jobId()) : found;
    }

    /**
     * Returns whether a task may be in the way of another. What a job does on one node of a broadcast is not in the way
     * of what it does on others.
     */
    private static boolean isInScope(Task task, Task other) {
        return task.origin().node().equals(other.origin().node());
    }

    /** Notes a decision, for the next one. */
    void note(StartFacts facts, FireDecision decision) {
        @Nullable List<Task> live = known.get(facts.jobId());
        if (live != null) {
            note(live, facts.task(), decision);
            return;
        }
        switch (decision.kind()) {
            case START -> started.putIfAbsent(facts.jobId(), facts.task().id());
            case HOLD -> {
                if (Objects.requireNonNull(decision.hold()).has(Trait.RUNNING)) {
                    held.putIfAbsent(facts.jobId(), facts.task().id());
                }
            }
            case SKIP, MISS, CANCEL, EXPAND -> ended.add(facts.task().id());
            case EARLY, STALE, MISFIRED, NO_SLOT -> {}
        }
    }

    private void note(List<Task> live, Task task, FireDecision decision) {
        if (decision.kind() == DecisionKind.STALE || decision.kind() == DecisionKind.EARLY) {
            return;
        }
        live.removeIf(other -> other.id() == task.id());
        switch (decision.kind()) {
            case START -> live.add(task.executing(task.launch(), session));
            case HOLD -> live.add(task.held(Objects.requireNonNull(decision.hold())));
            case NO_SLOT, MISFIRED -> live.add(task);
            default -> {}
        }
        for (Displaced displaced : decision.displaced()) {
            live.remove(displaced.task());
            if (displaced.task().isExecuting()) {
                live.add(displaced.task().asReplaced());
            }
        }
    }
}
