package dev.rowlock.task.rule;

import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decision whether a task may start beside the others of its job, and on those.
 *
 * @param kind {@code START}, {@code SKIP} or {@code HOLD}
 * @param reason for people; null: it starts
 * @param by the task that is in the way; null: none is, or it is not known
 * @param displaced tasks that end for it
 * @param again after what time it has to look by itself, as nothing may wake it when its turn comes; null: something
 *     will
 */
record OverlapDecision(
        DecisionKind kind,
        @Nullable String reason,
        @Nullable Long by,
        List<FireDecision.Displaced> displaced,
        @Nullable Duration again) {

    static final OverlapDecision START = start(List.of());

    /**
     * Task whose time has come.
     *
     * @param task itself
     * @param others the live tasks of its job, as the decisions before this one leave them
     * @param mayWait whether tasks of its job may wait for something other than each other
     * @param nowhere whether no node may run it now, so that it waits whatever is decided here, unless it is skipped
     */
    record OverlapFacts(Task task, List<Task> others, FirePolicy policy, boolean mayWait, boolean nowhere) {}

    static OverlapDecision of(OverlapFacts facts) {
        return switch (facts.policy.overlap()) {
            case SKIP -> skip(facts);
            case ALLOW -> allow(facts);
            case QUEUE -> queue(facts);
            case REPLACE -> replace(facts);
        };
    }

    private static OverlapDecision skip(OverlapFacts facts) {
        Optional<Task> executing =
                executing(facts).filter(other -> !other.origin().isBackfill()).findFirst();
        if (executing.isPresent()) {
            return skipped(stillExecuting(executing.get(), Overlap.SKIP), executing.get());
        }
        return waiting(facts)
                .filter(other -> facts.task.yieldsTo(other.id()))
                .min(Comparator.comparing(Task::id))
                .map(other -> skipped(stillWaiting(other.id()), other))
                .or(() -> executing(facts).findFirst().map(backfill -> behind(backfill.id())))
                .orElseGet(() -> start(superseded(facts)));
    }

    /**
     * Holds an occurrence until a task of a backfill has ended, whose end wakes it unless its node is lost: neither
     * skips nor kills the other.
     */
    static OverlapDecision behind(long backfill) {
        return new OverlapDecision(
                DecisionKind.HOLD,
                "task " + backfill + " of a backfill is executing",
                backfill,
                List.of(),
                FireDecision.LOOK_FOR_ROOM);
    }

    private static OverlapDecision allow(OverlapFacts facts) {
        List<Task> executing =
                executing(facts).filter(other -> !other.origin().isBackfill()).toList();
        int limit = facts.policy.overlapLimit();
        if (executing.size() >= limit) {
            return skipped(
                    executing.size() + " tasks of the job were executing, among them task "
                            + executing.get(0).id() + " (overlapLimit " + limit + ")",
                    executing.get(0));
        }
        return facts.mayWait && !facts.task.mayQueue() ? besideWaiting(facts, executing) : START;
    }

    /**
     * Decides beside tasks that wait and will execute, too; without a limit of the job, the number of waiting ones is
     * bounded.
     */
    private static OverlapDecision besideWaiting(OverlapFacts facts, List<Task> executing) {
        List<Task> waiting = waiting(facts).sorted(Task.BY_FIRE_TIME).toList();
        int limit = facts.policy.overlapLimit();
        boolean limited = limit < Integer.MAX_VALUE;
        if (waiting.isEmpty() || waiting.size() < (limited ? limit - executing.size() : FirePolicy.QUEUED)) {
            return START;
        }
        Task first = waiting.get(0);
        return skipped(
                limited
                        ? executing.size() + " tasks of the job were executing and " + waiting.size()
                                + " waiting, task " + first.id() + " first (overlapLimit " + limit + ")"
                        : waiting.size() + " tasks of the job were waiting, task " + first.id()
                                + " first (without an overlapLimit " + FirePolicy.QUEUED + " may wait)",
                first);
    }

    private static OverlapDecision queue(OverlapFacts facts) {
        List<Task> executing = executing(facts).toList();
        Optional<Task> before = facts.others.stream()
                .filter(other -> other.isComing() || other.isFrozen() || other.findsSameNodesAs(facts.task))
                .filter(other -> other.isBefore(facts.task))
                .min(Task.BY_FIRE_TIME);
        boolean isNext = executing.isEmpty() && before.isEmpty();
        if (isNext && !facts.nowhere) {
            return START;
        }
        int limit = facts.policy.overlapLimit();
        boolean mayWait = facts.task.mayQueue();
        List<Task> waiting = mayWait
                ? List.of()
                : facts.others.stream().filter(Task::isWaiting).toList();
        if (!mayWait && waiting.size() >= limit) {
            Task first = Collections.min(waiting, Task.BY_FIRE_TIME);
            return skipped(
                    waiting.size() + " tasks of the job were waiting, task " + first.id() + " first (overlapLimit "
                            + limit + ")",
                    first);
        }
        if (isNext) {
            return START;
        }
        Task inTheWay = executing.isEmpty() ? before.orElseThrow() : executing.get(0);
        String reason = executing.isEmpty()
                ? "task " + inTheWay.id() + ", an earlier occurrence, comes first (overlap QUEUE)"
                : "task " + inTheWay.id() + " is executing (overlap QUEUE)";
        return held(facts, reason, inTheWay, List.of());
    }

    private static OverlapDecision replace(OverlapFacts facts) {
        List<Task> replaceable = facts.others.stream()
                .filter(other -> !other.origin().isOfThePast())
                .toList();
        Optional<Task> newer = replaceable.stream()
                .filter(other -> other.isExecuting() || other.isWaiting())
                .filter(other -> facts.task.isBefore(other))
                .min(Task.BY_FIRE_TIME);
        if (newer.isPresent()) {
            return skipped(
                    "task " + newer.get().id() + ", a newer occurrence, goes first (overlap REPLACE)", newer.get());
        }
        List<FireDecision.Displaced> displaced = new ArrayList<>(superseded(facts));
        replaceable.stream()
                .filter(other -> other.isWaiting() && other.isBefore(facts.task))
                .map(other -> new FireDecision.Displaced(
                        other, "task " + facts.task.id() + " replaces it, before it could start (overlap REPLACE)"))
                .forEach(displaced::add);
        List<Task> victims = executing(replaceable).toList();
        victims.stream()
                .filter(e -> !e.replaced())
                .map(e -> new FireDecision.Displaced(e, "replaced"))
                .forEach(displaced::add);
        if (!victims.isEmpty()) {
            Task victim = victims.get(0);
            return held(facts, "task " + victim.id() + " is being killed for it (overlap REPLACE)", victim, displaced);
        }
        return ofThePast(facts)
                .map(past -> held(
                        facts,
                        "task " + past.id() + ", which "
                                + (past.origin().isRerun() ? "runs again on request" : "belongs to a backfill")
                                + ", is not replaced (overlap REPLACE)",
                        past,
                        displaced))
                .orElseGet(() -> start(displaced));
    }

    /**
     * Returns the task in the way that somebody requested after its fire time, and that is not replaced: one that
     * executes, or waits to and comes before.
     */
    private static Optional<Task> ofThePast(OverlapFacts facts) {
        List<Task> past = facts.others.stream()
                .filter(other -> other.origin().isOfThePast())
                .toList();
        return executing(past)
                .findFirst()
                .or(() -> past.stream()
                        .filter(other -> other.isQueued() && other.isBefore(facts.task))
                        .min(Task.BY_FIRE_TIME));
    }

    /** Returns the waiting retries of earlier occurrences: an occurrence that starts takes their place. */
    private static List<FireDecision.Displaced> superseded(OverlapFacts facts) {
        boolean isOccurrence = facts.task.cause() == Cause.SCHEDULE || facts.task.cause() == Cause.CATCH_UP;
        return !isOccurrence
                ? List.of()
                : facts.others.stream()
                        .filter(other -> other.cause() == Cause.RETRY
                                && !other.isExecuting()
                                && other.origin().equals(facts.task.origin())
                                && other.isBefore(facts.task))
                        .map(other -> new FireDecision.Displaced(
                                other, "superseded: task " + facts.task.id() + ", a later occurrence, started first"))
                        .toList();
    }

    private static Stream<Task> executing(OverlapFacts facts) {
        return executing(facts.others);
    }

    private static Stream<Task> executing(List<Task> tasks) {
        return tasks.stream().filter(Task::isExecuting).sorted(Task.BY_FIRE_TIME);
    }

    /** Returns those that count as running though they have not started. */
    private static Stream<Task> waiting(OverlapFacts facts) {
        return facts.others.stream().filter(other -> other.isWaiting() && !other.isFurtherAttempt());
    }

    static String stillWaiting(long task) {
        return "task " + task + " was still waiting to start (overlap SKIP)";
    }

    static String stillExecuting(Task other, Overlap overlap) {
        return stillExecuting(other.id(), overlap);
    }

    static String stillExecuting(long task, Overlap overlap) {
        return "task " + task + " was still executing (overlap " + overlap + ")";
    }

    private static OverlapDecision start(List<FireDecision.Displaced> displaced) {
        return new OverlapDecision(DecisionKind.START, null, null, List.copyOf(displaced), null);
    }

    private static OverlapDecision skipped(String reason, Task by) {
        return skipped(reason, by.id());
    }

    static OverlapDecision skipped(String reason, long by) {
        return new OverlapDecision(DecisionKind.SKIP, reason, by, List.of(), null);
    }

    /**
     * Holds a task. One in its way that was started under another version of the job wakes nobody when it ends, and may
     * be the last to end.
     */
    private static OverlapDecision held(
            OverlapFacts facts, String reason, Task by, List<FireDecision.Displaced> displaced) {
        boolean isFirst = facts.others.stream().noneMatch(other -> other.isQueued() && other.isBefore(facts.task));
        boolean tells = facts.policy.told()
                && by.isExecuting()
                && executing(facts).allMatch(other -> other.version() == facts.task.version());
        // Those behind the first are told by the one before them, unless that ends unheard of.
        Duration untold = facts.policy.told() ? null : FireDecision.LOOK_FOR_ROOM;
        Duration again = isFirst ? (tells ? null : FireDecision.LOOK_AGAIN) : untold;
        return new OverlapDecision(DecisionKind.HOLD, reason, by.id(), displaced, again);
    }
}
