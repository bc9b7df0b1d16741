package dev.rowlock.policy;

import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Origin;
import dev.rowlock.job.TaskState;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A live task of a job, as it is found under the job's stripe row.
 *
 * @param version of the job, with which it was made or prepared
 * @param hold what holds it; null: nothing, or something that only a newer version knows
 * @param queued whether it has waited by policy
 * @param session which holds it; null: none does
 * @param replaced whether it is to be killed for another
 * @param cursor whether it has no row yet: it is where the cursor of the job stands
 */
public record LiveTask(
        long id,
        int version,
        Instant fireTime,
        String origin,
        int attempt,
        Cause cause,
        TaskState state,
        @Nullable Hold hold,
        boolean queued,
        @Nullable String session,
        @Nullable LaunchId launch,
        boolean replaced,
        boolean cursor) {

    /** Earlier occurrences first. */
    static final Comparator<LiveTask> ORDER =
            Comparator.comparing(LiveTask::fireTime).thenComparing(LiveTask::id);

    LiveTask asReplaced() {
        return new LiveTask(
                id, version, fireTime, origin, attempt, cause, state, hold, queued, session, launch, true, cursor);
    }

    boolean isExecuting() {
        return state == TaskState.EXECUTING;
    }

    boolean isAgain() {
        return cause == Cause.RETRY || cause == Cause.RECOVERY;
    }

    /** Whether somebody asked for it to run again, with its retries and recoveries. */
    boolean isRerun() {
        return Origin.isAgain(origin);
    }

    /** Whether it was missed and runs nevertheless; how many do has a limit of its own. */
    boolean isCatchUp() {
        return cause == Cause.CATCH_UP;
    }

    /** Whether it waits for another task of its job, or did until a moment ago. */
    boolean isQueued() {
        return !isExecuting() && queued && (hold == null || hold == Hold.OVERLAP || hold == Hold.GROUP);
    }

    /** Whether policy has held it, whatever for, and it has not started. It counts as running, unless it runs again. */
    boolean isWaiting() {
        return isQueued() || (hold == Hold.NODE && queued);
    }

    /**
     * Whether it is skipped for another of its job that waits, where the job may not overlap. Of those that wait, the
     * one that was made first stays; a retry or recovery is in nobody's way until it executes, and nobody in its.
     */
    boolean yieldsTo(long waiting) {
        return waiting != id && !isAgain() && (!queued || waiting < id);
    }

    /** Whether it waits however many do: it has been let in, or how many there are has a limit of its own. */
    boolean mayQueue() {
        return queued || isAgain() || isCatchUp();
    }

    /** Whether it is going to run, unless something comes between: nothing else keeps it. */
    boolean isComing() {
        return !isExecuting() && (hold == null || hold == Hold.OVERLAP || hold == Hold.GROUP);
    }

    /** Whether it waits for nodes that may run it, and those that may run the other may. */
    boolean findsSameNodesAs(LiveTask other) {
        return hold == Hold.NODE
                && version == other.version
                && Origin.isScheduled(origin)
                && Origin.isScheduled(other.origin);
    }

    /** The node whose part in a broadcast it is; empty: it is none. */
    String node() {
        return Origin.node(origin);
    }

    /** Whether both are parts of one occurrence of a broadcast. */
    boolean isOfSameOccurrence(LiveTask other) {
        return fireTime.equals(other.fireTime)
                && Origin.isOfNode(origin)
                && Origin.isOfNode(other.origin)
                && Origin.request(origin).equals(Origin.request(other.origin));
    }

    /** What was set aside may have been started on a node that is lost. */
    boolean hasNotStarted() {
        return !isExecuting() && !isAgain() && hold != Hold.ERROR;
    }

    boolean isBefore(Instant otherFireTime, long otherId) {
        int order = fireTime.compareTo(otherFireTime);
        return order < 0 || (order == 0 && id < otherId);
    }
}
