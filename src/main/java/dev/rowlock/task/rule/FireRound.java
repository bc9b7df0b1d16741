package dev.rowlock.task.rule;

import static dev.rowlock.task.rule.FireDecision.ends;
import static dev.rowlock.task.rule.FireDecision.held;

import dev.rowlock.definition.Overlap;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.schedule.Durations;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.Displaced;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decisions of one transaction, each of which sees those before it. */
final class FireRound {

    private final FireDecision.Shared shared;
    private final JobRound others;
    private final Map<Long, Integer> runs;
    private final GroupRound groups;
    /** Jobs with a misfire among what is fired: whatever of them is late is decided together. */
    private final Set<Long> misfired = new HashSet<>();

    private int free;

    FireRound(FireDecision.Shared shared, List<StartFacts> tasks) {
        this.shared = shared;
        this.others = new JobRound(shared);
        this.groups = new GroupRound(shared.groups(), shared.now(), tasks);
        this.runs = new HashMap<>(shared.runs());
        this.free = shared.slots();
    }

    List<FireDecision> decide(List<StartFacts> tasks) {
        List<StartFacts> inTurn = new ArrayList<>(tasks);
        if (groups.isConcerned()) {
            inTurn.sort(Comparator.comparing(groups::rank));
        }
        tasks.stream()
                .filter(task -> task.due() && task.unchanged() && isLaterThan(threshold(task), task))
                .filter(task -> task.freeze() == null
                        || !task.freeze().covered(task.task().scheduled()))
                .forEach(task -> misfired.add(task.jobId()));
        Map<Long, List<StartFacts>> inOrder = new HashMap<>();
        for (StartFacts task : inTurn) {
            if (others.isInOrder(task)) {
                inOrder.computeIfAbsent(task.jobId(), id -> new ArrayList<>()).add(task);
            }
        }
        inOrder.values().forEach(l -> l.sort(Comparator.comparing(StartFacts::task, Task.BY_FIRE_TIME)));
        Map<Long, FireDecision> byTask = new HashMap<>();
        for (StartFacts task : inTurn) {
            StartFacts next = inOrder.containsKey(task.jobId())
                    ? inOrder.get(task.jobId()).remove(0)
                    : task;
            byTask.put(next.task().id(), decide(next));
        }
        return tasks.stream().map(task -> byTask.get(task.task().id())).toList();
    }

    private FireDecision decide(StartFacts facts) {
        FireDecision decision = decideAlone(facts);
        note(facts, decision);
        return decision;
    }

    private FireDecision decideAlone(StartFacts facts) {
        if (!facts.due()) {
            return FireDecision.EARLY;
        }
        if (!facts.unchanged()) {
            return FireDecision.STALE;
        }
        Duration threshold = threshold(facts);
        if (misfired.contains(facts.jobId()) && isLaterThan(Duration.ZERO, facts)) {
            return FireDecision.MISFIRED;
        }
        if (facts.policy().maxRuns() != null && facts.task().isCounted()) {
            int max = facts.policy().maxRuns();
            if (runs.getOrDefault(facts.jobId(), 0) >= max) {
                return ends(DecisionKind.CANCEL, "the job has run as often as it was to (maxRuns " + max + ")", null);
            }
        }
        @Nullable Instant deadline = deadline(facts, threshold);
        FireDecision decision = whetherToStart(facts, deadline);
        return deadline != null && shared.now().isAfter(deadline) ? missed(facts, threshold, decision) : decision;
    }

    private Duration threshold(StartFacts task) {
        return task.policy().threshold(shared.threshold());
    }

    private static boolean isLaterThan(Duration threshold, StartFacts task) {
        return !task.task().queued()
                && !task.task().origin().isPart() // what it is part of came in time
                && MisfireDecision.isMisfire(task.cause(), task.late(), threshold);
    }

    private FireDecision whetherToStart(StartFacts facts, @Nullable Instant deadline) {
        if (facts.elsewhere() != null && facts.task().origin().isPart()) {
            return ends(DecisionKind.MISS, facts.elsewhere().reason(), null);
        }
        if (facts.freeze() != null) {
            return frozen(facts, facts.freeze(), deadline);
        }
        if (facts.elsewhere() != null) {
            return nowhere(facts, facts.elsewhere(), deadline);
        }
        if (facts.expands()) {
            Instant look =
                    facts.task().origin().isBackfill() ? shared.now().plus(FireDecision.LOOK_FOR_ROOM) : deadline;
            return new FireDecision(DecisionKind.EXPAND, null, null, look, null, List.of());
        }
        Optional<Broadcast.Ahead> before = before(facts);
        if (before.isPresent()) {
            return behind(facts, before.get(), deadline);
        }
        OverlapDecision overlap = facts.task().origin().isBackfill() ? inBackfill(facts) : others.overlap(facts);
        return switch (overlap.kind()) {
            case SKIP -> ends(DecisionKind.SKIP, Objects.requireNonNull(overlap.reason()), overlap.by());
            case HOLD ->
                held(
                        Hold.OVERLAP,
                        Objects.requireNonNull(overlap.reason()),
                        until(overlap, deadline),
                        overlap.by(),
                        overlap.displaced());
            default ->
                isFull(facts)
                        ? full(facts, overlap, deadline)
                        : free > 0 ? grouped(facts, overlap, deadline) : FireDecision.NO_SLOT;
        };
    }

    /**
     * Skips what came due under a freeze that skips, and holds the rest until the last freeze ends. Of a job that keeps
     * several, no more are held than may wait; of others, all that was prepared, as its end decides on them together.
     */
    private FireDecision frozen(StartFacts facts, CoveringFreezes freeze, @Nullable Instant deadline) {
        Task task = facts.task();
        boolean isSkippable = task.isSkippable();
        Optional<Freeze> skips = isSkippable ? freeze.skips(task.scheduled()) : Optional.empty();
        if (skips.isPresent()) {
            return FireDecision.frozenOut(skips.get().said());
        }
        OverlapDecision overlap =
                isSkippable && facts.policy().keepsSeveral() ? others.overlap(facts) : OverlapDecision.START;
        Instant end = freeze.until();
        return overlap.kind() == DecisionKind.SKIP
                ? ends(DecisionKind.SKIP, Objects.requireNonNull(overlap.reason()), overlap.by())
                : held(
                        Hold.FREEZE,
                        freeze.last().said(),
                        deadline == null || end.isBefore(deadline) ? end : deadline,
                        null,
                        List.of());
    }

    private OverlapDecision inBackfill(StartFacts facts) {
        @Nullable
        String why = BackfillTurn.whyNot(
                facts.task(),
                facts.policy().overlap(),
                others.of(facts),
                shared.parallel().get(facts.task().origin().backfill()),
                shared.now());
        return why == null
                ? OverlapDecision.START
                : new OverlapDecision(DecisionKind.HOLD, why, null, List.of(), FireDecision.LOOK_FOR_ROOM);
    }

    /** Holds it for a node, unless it is skipped, as only a few of a job may wait. Nothing is killed for it yet. */
    private FireDecision nowhere(StartFacts facts, NoEligibleNode elsewhere, @Nullable Instant deadline) {
        if (facts.task().origin().isBackfill()) {
            return held(Hold.NODE, elsewhere.reason(), null, null, List.of());
        }
        OverlapDecision overlap = others.overlap(facts);
        return overlap.kind() == DecisionKind.SKIP
                ? ends(DecisionKind.SKIP, Objects.requireNonNull(overlap.reason()), overlap.by())
                : held(Hold.NODE, elsewhere.reason(), deadline, null, replacedWaiting(facts, overlap));
    }

    /**
     * Returns the tasks whose place it takes though it does not start: {@code REPLACE} keeps the newest under every
     * hold.
     */
    private static List<Displaced> replacedWaiting(StartFacts facts, OverlapDecision overlap) {
        return facts.policy().overlap() != Overlap.REPLACE
                ? List.of()
                : overlap.displaced().stream()
                        .filter(displaced -> !displaced.task().isExecuting())
                        .toList();
    }

    /** Returns whether this node executes as many tasks of the job as it may. */
    private boolean isFull(StartFacts facts) {
        @Nullable Integer most = facts.policy().maxPerNode();
        return most != null
                && others.of(facts).stream()
                                .filter(other ->
                                        other.isExecuting() && shared.session().equals(other.session()))
                                .count()
                        >= most;
    }

    /** Holds it until it looks again by itself: another node may have room, and the end of a lost one wakes nobody. */
    private FireDecision full(StartFacts facts, OverlapDecision overlap, @Nullable Instant deadline) {
        Instant again = shared.now().plus(facts.task().queued() ? FireDecision.LOOK_FOR_ROOM : FireDecision.LOOK_AGAIN);
        return held(
                Hold.NODE,
                "the node that was to run it executes " + facts.policy().maxPerNode()
                        + " tasks of the job, as many as it may (maxPerNode)",
                deadline == null || again.isBefore(deadline) ? again : deadline,
                null,
                replacedWaiting(facts, overlap));
    }

    /** Returns the parts of the same broadcast whose turns come first. */
    private Optional<Broadcast.Ahead> before(StartFacts facts) {
        @Nullable Broadcast broadcast = facts.policy().broadcast();
        return broadcast == null
                ? Optional.empty()
                : Broadcast.before(facts.task(), others.of(facts), broadcast.parallel());
    }

    private FireDecision behind(StartFacts facts, Broadcast.Ahead before, @Nullable Instant deadline) {
        Instant again = shared.now().plus(FireDecision.LOOK_FOR_ROOM);
        boolean looks = (before.isUntold(facts.task()) || facts.task().origin().isBackfill())
                && (deadline == null || again.isBefore(deadline));
        return held(
                Hold.OVERLAP,
                before.reason(),
                looks ? again : deadline,
                before.first().id(),
                List.of());
    }

    /** Starts it if its group has a slot, too, and else holds it. */
    private FireDecision grouped(StartFacts facts, OverlapDecision overlap, @Nullable Instant deadline) {
        return groups.whyNot(facts)
                .map(why -> held(Hold.GROUP, why, deadline, null, replacedWaiting(facts, overlap)))
                .orElseGet(() -> overlap.displaced().isEmpty()
                        ? FireDecision.START
                        : new FireDecision(DecisionKind.START, null, null, null, null, overlap.displaced()));
    }

    private @Nullable Instant until(OverlapDecision overlap, @Nullable Instant deadline) {
        @Nullable Instant again = overlap.again() == null ? null : shared.now().plus(overlap.again());
        return again != null && (deadline == null || again.isBefore(deadline)) ? again : deadline;
    }

    /** Returns the deadline. A further attempt has met its own, and may wait for any time. */
    private @Nullable Instant deadline(StartFacts facts, Duration threshold) {
        @Nullable Duration limit = facts.startDeadline();
        @Nullable NoEligibleNode elsewhere = facts.elsewhere();
        if (facts.task().isFurtherAttempt()
                || facts.task().origin().isBackfill()
                || (limit == null && (elsewhere == null || facts.freeze() != null))) {
            return null;
        }
        if (limit != null) {
            return facts.task().fireTime().plus(limit);
        }
        @Nullable Instant since = elsewhere == null ? null : elsewhere.since();
        return (since == null ? shared.now() : since).plus(threshold);
    }

    private FireDecision missed(StartFacts facts, Duration threshold, FireDecision instead) {
        @Nullable Duration limit = facts.startDeadline();
        String over = limit == null
                ? "it waited for longer than the misfire threshold of " + Durations.format(threshold)
                : "its startDeadline of " + Durations.format(limit) + " was over";
        @Nullable
        String why = instead.kind() == DecisionKind.NO_SLOT
                ? "no node that was to run it had a free slot"
                : instead.reason();
        return ends(DecisionKind.MISS, why == null ? over : over + ": " + why, instead.by());
    }

    /** Notes a decision, for the next one. */
    private void note(StartFacts facts, FireDecision decision) {
        if (decision.kind() == DecisionKind.START) {
            free--;
            groups.start(facts);
        }
        if (decision.kind().isRun() && facts.task().isCounted()) {
            runs.merge(facts.jobId(), 1, Integer::sum);
        }
        others.note(facts, decision);
    }
}
