package dev.rowlock.task;

import dev.rowlock.task.Hold.Trait;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Row of a live task as one read found it, or the occurrence at which the cursor of a job stands, which has no row yet.
 *
 * @param nextFireTime the fire time that follows in the chain; null: none does, or it is not known yet
 * @param started whether it executes, or was executed by a node that is lost, which could not be recorded yet
 * @param dueAt the time at which the scan finds it; null: never, see {@code hold}
 * @param hold why it waits; null: nothing holds it, or something that only a newer version knows
 * @param queued whether it has waited by policy
 * @param session which holds it; null: none does
 * @param jitter how far behind its fire time it is due
 * @param selector of the nodes that may run it, the number of a row of {@code selector}; 0: any
 * @param needs the feature level that a node must have to touch it
 * @param replaced whether it is to be killed for another
 * @param cursor whether it is where the cursor of its job stands, which reserves this id for it
 */
public record Task(
        TaskRef ref,
        Instant fireTime,
        @Nullable Instant nextFireTime,
        Origin origin,
        int attempt,
        Cause cause,
        TaskState state,
        boolean started,
        @Nullable Instant dueAt,
        @Nullable Hold hold,
        boolean queued,
        @Nullable String session,
        Duration jitter,
        int priority,
        int selector,
        int needs,
        boolean replaced,
        boolean cursor) {

    /** Order by fire time: earlier occurrences first. */
    public static final Comparator<Task> BY_FIRE_TIME =
            Comparator.comparing(Task::fireTime).thenComparingLong(Task::id);

    public long id() {
        return ref.id();
    }

    public long jobId() {
        return ref.jobId();
    }

    /** Returns the version of its job, see {@link TaskRef}. */
    public int version() {
        return ref.version();
    }

    /** Returns the stripe of its job: no write to the task without that lock row. */
    public int stripe() {
        return ref.stripe();
    }

    /** Returns the claim to it; null: it is idle. */
    @Nullable
    public LaunchId launch() {
        return ref.launch();
    }

    /** Returns the task as its claim prepares it: due at that time, of that priority, held by nothing. */
    public Task prepared(LaunchId claim, String by, Instant due, int rank) {
        return with(ref.under(claim), TaskState.PREPARED, due, null, queued, by, rank);
    }

    /** Returns the task as its start leaves it, under that claim. */
    public Task executing(@Nullable LaunchId claim, @Nullable String by) {
        return with(ref.under(claim), TaskState.EXECUTING, dueAt, null, queued, by, priority);
    }

    /** Returns the task as a policy leaves it that holds it. */
    public Task held(Hold by) {
        return with(ref.under(null), TaskState.IDLE, dueAt, by, true, null, priority);
    }

    /** Returns the task as the one leaves it that replaces it. */
    public Task asReplaced() {
        return new Task(
                ref,
                fireTime,
                nextFireTime,
                origin,
                attempt,
                cause,
                state,
                started,
                dueAt,
                hold,
                queued,
                session,
                jitter,
                priority,
                selector,
                needs,
                true,
                cursor);
    }

    /** Returns the task with what may have changed of it since it was read without a lock. */
    public Task asFound(Cause what, boolean hasWaited, Duration delay, int nodes) {
        return new Task(
                ref,
                fireTime,
                nextFireTime,
                origin,
                attempt,
                what,
                state,
                started,
                dueAt,
                hold,
                hasWaited,
                session,
                delay,
                priority,
                nodes,
                needs,
                replaced,
                cursor);
    }

    /**
     * Returns an occurrence of the same job that nobody holds.
     *
     * @param next the fire time that follows; null: none does
     */
    public Task occurrence(long id, Instant at, @Nullable Instant next, Instant due, Duration delay, int rank) {
        TaskRef other = new TaskRef(id, ref.jobId(), ref.version(), ref.stripe(), null);
        return new Task(
                other,
                at,
                next,
                origin,
                attempt,
                cause,
                TaskState.IDLE,
                false,
                due,
                null,
                false,
                null,
                delay,
                rank,
                selector,
                needs,
                false,
                false);
    }

    private Task with(
            TaskRef under,
            TaskState is,
            @Nullable Instant due,
            @Nullable Hold by,
            boolean waited,
            @Nullable String of,
            int rank) {
        boolean starts = is == TaskState.EXECUTING;
        return new Task(
                under,
                fireTime,
                nextFireTime,
                origin,
                attempt,
                cause,
                is,
                starts,
                due,
                by,
                waited,
                of,
                jitter,
                rank,
                selector,
                needs,
                false,
                false);
    }

    public boolean isExecuting() {
        return state == TaskState.EXECUTING;
    }

    /** Returns whether it is a further attempt, after a failure or a loss. */
    public boolean isFurtherAttempt() {
        return cause == Cause.RETRY || cause == Cause.RECOVERY;
    }

    /** Returns whether it has a time of its own, later than its fire time. */
    public boolean isLateByNature() {
        return isFurtherAttempt() || origin.isOfThePast();
    }

    /** Returns whether it was missed and runs nevertheless; how many do has a limit of its own. */
    public boolean isCatchUp() {
        return cause == Cause.CATCH_UP;
    }

    /** Returns whether it is the first attempt at a scheduled occurrence. */
    public boolean isOccurrence() {
        return origin.isSchedule() && isFirst();
    }

    /** Returns whether it is the first attempt of a node at its part of a scheduled occurrence. */
    public boolean isPart() {
        return origin.isPart() && origin.isScheduled() && isFirst();
    }

    private boolean isFirst() {
        return attempt == 1 && (cause == Cause.SCHEDULE || cause == Cause.CATCH_UP);
    }

    /** Returns whether {@code maxRuns} counts it: the first attempt at a scheduled occurrence. */
    public boolean isCounted() {
        return origin.isSchedule() && (cause == Cause.SCHEDULE || cause == Cause.CATCH_UP);
    }

    /** Returns whether it is an occurrence for all nodes, if its job runs on all. */
    public boolean isWhole() {
        return !origin.isPart() && !isFurtherAttempt();
    }

    /** Returns whether it may be a misfire: it is scheduled, and has not waited by policy. */
    public boolean mayMisfire() {
        return cause == Cause.SCHEDULE && origin.isSchedule() && !queued;
    }

    /** Returns its priority: that of its job, unless it belongs to a backfill, which has one of its own. */
    public int priorityIn(int ofJob) {
        return origin.isBackfill() ? priority : ofJob;
    }

    /** Returns when it is due. Call for tasks that have a due time. */
    public Instant due() {
        return Objects.requireNonNull(dueAt);
    }

    /** Returns since when it is late: since its due time by the schedule, the retry, or the request. */
    public Instant lateFrom() {
        return isLateByNature() ? due() : scheduled();
    }

    /** Returns when it was due first: a task that is given back is due later. */
    public Instant scheduled() {
        return fireTime.plus(jitter);
    }

    /** Returns how long its time has come; zero if it waited by policy, or was requested. */
    public Duration late(Instant now) {
        return queued || !origin.isSchedule() ? Duration.ZERO : Duration.between(scheduled(), now);
    }

    /** Returns whether it waits for another task of its job or for its group, or did until a moment ago. */
    public boolean isQueued() {
        return isComing() && queued;
    }

    /**
     * Returns whether policy has held it, and it has not started. It counts as running, unless it is a rerun; of a
     * backfill nothing counts that waits.
     */
    public boolean isWaiting() {
        return !isExecuting() && queued && !origin.isBackfill() && (hold == null || hold.has(Trait.POLICY));
    }

    /** Returns whether a freeze covers it with its job, as a pause does: what somebody asked for runs despite one. */
    public boolean isFreezable() {
        return origin.isScheduled() || origin.isBackfill();
    }

    /** Returns whether a freeze that skips ends it if it came due under it: an attempt that follows another waits. */
    public boolean isSkippable() {
        return isFreezable() && !isFurtherAttempt() && !origin.isBackfill();
    }

    /** Returns whether it waits for the end of a freeze, in its place before those behind it. */
    public boolean isFrozen() {
        return hold == Hold.FREEZE && !origin.isBackfill();
    }

    /** Returns whether it waits for the end of a freeze, despite which the other runs. */
    public boolean isFrozenBeside(Task other) {
        return hold == Hold.FREEZE && !other.isFreezable();
    }

    /**
     * Returns whether it is skipped for another of its job that waits, where the job may not overlap. Of those that
     * wait, the one that was made first stays; a further attempt is in nobody's way until it executes, and nobody in
     * its.
     */
    public boolean yieldsTo(long waiting) {
        return waiting != id() && !isFurtherAttempt() && (!queued || waiting < id());
    }

    /** Returns whether it waits however many do: it has been let in, or its number has a limit of its own. */
    public boolean mayQueue() {
        return queued || isFurtherAttempt() || isCatchUp();
    }

    /**
     * Returns whether it is going to run, unless something comes between. What waits of a backfill stands behind all.
     */
    public boolean isComing() {
        return !isExecuting() && !origin.isBackfill() && (hold == null || hold.has(Trait.QUEUED));
    }

    /** Returns whether it waits for nodes that may run it, and those that may run the other may. */
    public boolean findsSameNodesAs(Task other) {
        return hold == Hold.NODE && version() == other.version() && origin.isScheduled() && other.origin.isScheduled();
    }

    /** Returns whether both are parts of one occurrence of a broadcast. */
    public boolean isOfSameOccurrence(Task other) {
        return fireTime.equals(other.fireTime)
                && origin.isPart()
                && other.origin.isPart()
                && origin.request().equals(other.origin.request());
    }

    /** Returns whether it has not started for certain: what was set aside may have been, on a node that is lost. */
    public boolean hasNotStarted() {
        return !isExecuting() && !isFurtherAttempt() && hold != Hold.ERROR;
    }

    /** Returns whether it comes first by fire time, and of two at one fire time by id. */
    public boolean isBefore(Task other) {
        return BY_FIRE_TIME.compare(this, other) < 0;
    }
}
