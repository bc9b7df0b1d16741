package dev.rowlock.task.rule;

import dev.rowlock.definition.Overlap;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decision on a prepared task when its time has come, made together with all others that are fired with it.
 *
 * @param reason why it does not start, for people; null: it does, or will
 * @param hold what holds it, or is the reason why it is skipped; null: nothing is, or another of its job
 * @param until when a held task is to be looked at again, whatever happens; null: when what it waits for has come
 * @param by the task that is in its way; null: none is
 * @param displaced tasks that end for it
 */
public record FireDecision(
        DecisionKind kind,
        @Nullable String reason,
        @Nullable Hold hold,
        @Nullable Instant until,
        @Nullable Long by,
        List<Displaced> displaced) {

    /** Time after which a task looks again that nothing will wake when its turn has come. */
    static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** Time after which a task looks again for room on a node, which recorded ends signal. */
    static final Duration LOOK_FOR_ROOM = Duration.ofSeconds(5);

    static final FireDecision EARLY = plain(DecisionKind.EARLY);
    static final FireDecision STALE = plain(DecisionKind.STALE);
    static final FireDecision MISFIRED = plain(DecisionKind.MISFIRED);
    static final FireDecision NO_SLOT = plain(DecisionKind.NO_SLOT);
    static final FireDecision START = plain(DecisionKind.START);

    /** Kind of decision. */
    public enum DecisionKind {
        START,
        /** Kept prepared: by the database's clock its time has not come. */
        EARLY,
        /** Left alone: whoever edited, paused or deleted the job sees to it. */
        STALE,
        /** Given back to idle, for {@link MisfireDecision}. */
        MISFIRED,
        /** Ended as {@code SKIPPED}. */
        SKIP,
        /** Ended as {@code MISSED}: its deadline is over. */
        MISS,
        /** Ended as {@code CANCELLED}: its job has reached {@code maxRuns}. */
        CANCEL,
        /** Ended as {@code EXPANDED}, having become one task for each node, see {@link Expansion}. */
        EXPAND,
        /** Given back to idle, to wait. */
        HOLD,
        /** Startable, but not now and here. */
        NO_SLOT;

        /** Returns whether the occurrence has its run, or has it on all nodes. */
        public boolean isRun() {
            return this == START || this == EXPAND;
        }
    }

    /** Task that ends for another: killed if it executes, else skipped, with this reason. */
    public record Displaced(Task task, String reason) {}

    /**
     * Task as it is found under the lock.
     *
     * @param task its row, for jobs in which others matter too
     * @param late how long ago it was due by the schedule, the job's jitter included
     * @param due whether its time has come by the database's clock, which is not in doubt
     * @param unchanged whether its job exists, is not paused, and has the version that the task was prepared with
     * @param executing a task of the job that executes anywhere; null: none does, or it does not matter
     * @param waiting the first task of the job that policy has held and that has not started, perhaps this one; null:
     *     there is none, or it does not matter
     * @param backfill a task of a backfill of the job that executes anywhere, which {@code executing} is not; null:
     *     likewise
     * @param elsewhere why no node may run it; null: this one may
     * @param mayWait whether it may have to wait for something other than others of its job, in any number
     * @param freeze the freezes that cover it; null: none does
     */
    public record StartFacts(
            Task task,
            Duration late,
            boolean due,
            boolean unchanged,
            @Nullable Long executing,
            @Nullable Long waiting,
            @Nullable Long backfill,
            @Nullable NoEligibleNode elsewhere,
            FirePolicy policy,
            boolean mayWait,
            @Nullable CoveringFreezes freeze) {

        public long jobId() {
            return task.jobId();
        }

        Cause cause() {
            return task.cause();
        }

        /**
         * Returns the deadline. A task that was late before anybody requested it has none.
         */
        @Nullable
        Duration startDeadline() {
            return task.origin().isOfThePast() ? null : policy.startDeadline();
        }

        /** Returns whether it is to be expanded into the parts of a broadcast. */
        boolean expands() {
            return policy.broadcast() != null && task.isWhole();
        }

        /**
         * Returns whether all live tasks of the job have to be known. Else {@link #isDecidedBy} says whether those that
         * come first suffice.
         */
        public boolean concernsAll() {
            return policy.concernsAll()
                    || task.origin().isPart()
                    || task.origin().isBackfill();
        }

        /**
         * Returns whether all live tasks of the job would decide no more than these do: those that execute, those that
         * are fired with it, and the earliest of the others that {@link Task#isComing} or waits for a node.
         */
        public boolean isDecidedBy(Collection<Task> first) {
            List<Task> others =
                    first.stream().filter(other -> other.id() != task.id()).toList();
            if (policy.overlap() != Overlap.QUEUE || elsewhere != null) {
                boolean counts = policy.overlap() == Overlap.QUEUE || (policy.overlap() == Overlap.ALLOW && mayWait);
                return !counts
                        || task.mayQueue()
                        || others.stream().allMatch(other -> other.isExecuting() || other.cursor());
            }
            return others.stream().noneMatch(other -> mayHideAnother(other) || isCountedFor(other));
        }

        /** Returns whether the other waits and lets this task by, but perhaps not one behind it. */
        private boolean mayHideAnother(Task other) {
            return other.isFrozenBeside(task)
                    || (other.hold() == Hold.NODE && other.isBefore(task) && !other.findsSameNodesAs(task));
        }

        /** Returns whether this task has to wait for the other, where the number of waiting tasks is limited. */
        private boolean isCountedFor(Task other) {
            return !task.mayQueue() && (other.isExecuting() || other.isBefore(task));
        }

        /** Returns whether the job's other tasks have to be known, and not only whether one of them executes. */
        public boolean concernsOthers() {
            return policy.concernsOthers()
                    || task.origin().isPart()
                    || task.origin().isBackfill()
                    || (mayWait && policy.overlap() == Overlap.ALLOW);
        }
    }

    /**
     * Facts that all of them share.
     *
     * @param now by the database's clock
     * @param threshold how late an occurrence may still start normally
     * @param slots how many may be started
     * @param session that starts them
     * @param others of jobs whose policy {@link FirePolicy#concernsOthers}: all their live tasks, or as many of them as
     *     decide as all would
     * @param runs of jobs with {@code maxRuns}: how many occurrences have been started
     * @param groups those that the tasks belong to
     * @param parallel of the backfills that the tasks belong to: how many of their fire times may execute at once
     */
    public record Shared(
            Instant now,
            Duration threshold,
            int slots,
            String session,
            Map<Long, List<Task>> others,
            Map<Long, Integer> runs,
            Map<String, GroupOccupancy> groups,
            Map<Long, Integer> parallel) {}

    /** Decides on the tasks of one transaction: in their order, but earlier occurrences of a job first. */
    public static List<FireDecision> of(List<StartFacts> tasks, Shared shared) {
        return new FireRound(shared, tasks).decide(tasks);
    }

    private static FireDecision plain(DecisionKind kind) {
        return new FireDecision(kind, null, null, null, null, List.of());
    }

    /** Returns the end of what a freeze skips. */
    static FireDecision frozenOut(String reason) {
        return new FireDecision(DecisionKind.SKIP, reason, Hold.FREEZE, null, null, List.of());
    }

    static FireDecision ends(DecisionKind kind, String reason, @Nullable Long by) {
        return new FireDecision(kind, reason, null, null, by, List.of());
    }

    static FireDecision held(
            Hold hold, String reason, @Nullable Instant until, @Nullable Long by, List<Displaced> displaced) {
        return new FireDecision(DecisionKind.HOLD, reason, hold, until, by, displaced);
    }
}
