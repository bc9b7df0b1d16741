package dev.rowlock.policy;

import dev.rowlock.job.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a prepared task when its time has come, and of all others that are fired with it.
 *
 * @param reason why it is skipped, for people; null: it is not
 */
public record FireDecision(Kind kind, @Nullable String reason) {

    private static final FireDecision START = new FireDecision(Kind.START, null);
    private static final FireDecision EARLY = new FireDecision(Kind.EARLY, null);
    private static final FireDecision STALE = new FireDecision(Kind.STALE, null);
    private static final FireDecision MISFIRED = new FireDecision(Kind.MISFIRED, null);
    private static final FireDecision NO_SLOT = new FireDecision(Kind.NO_SLOT, null);

    private static final FireDecision STILL_EXECUTING = skip("the job was still executing");
    private static final FireDecision BEATEN =
            skip("another occurrence of the job was due too, and was started at the same moment");

    /** What may become of it. */
    public enum Kind {
        START,
        /** It stays prepared: by the database's clock its time has not come. */
        EARLY,
        /** It is left alone: whoever edited, paused or deleted the job sees to it. */
        STALE,
        /** It goes back to idle, for {@link MisfireDecision}. */
        MISFIRED,
        /** It ends as {@code SKIPPED}. */
        SKIP,
        /** It is to be started, but not now and here. */
        NO_SLOT
    }

    /**
     * A task as it is found under the lock.
     *
     * @param late how long its time has come, its jitter counted; zero if it waited by policy
     * @param due whether its time has come by the database's clock, which is not in doubt
     * @param unchanged whether its job is there, not paused, and of the version that the task was prepared with
     * @param executing whether a task of the job is executing anywhere
     */
    public record Facts(long jobId, Cause cause, Duration late, boolean due, boolean unchanged, boolean executing) {}

    /**
     * Decides on the tasks of one transaction, in their order.
     *
     * @param threshold how late an occurrence may be started as if nothing were
     * @param slots how many may be started
     */
    public static List<FireDecision> of(List<Facts> tasks, Duration threshold, int slots) {
        List<FireDecision> decisions = new ArrayList<>(tasks.size());
        Set<Long> started = new HashSet<>();
        Set<Long> misfired = misfired(tasks, threshold);
        int free = slots;
        for (Facts task : tasks) {
            FireDecision decision = of(task, misfired, started, free);
            decisions.add(decision);
            if (decision.kind == Kind.START) {
                started.add(task.jobId);
                free--;
            }
        }
        return decisions;
    }

    /** Jobs with a misfire: whatever of them is late is decided together. */
    private static Set<Long> misfired(List<Facts> tasks, Duration threshold) {
        return tasks.stream()
                .filter(task -> task.due && task.unchanged)
                .filter(task -> MisfireDecision.isMisfire(task.cause, task.late, threshold))
                .map(Facts::jobId)
                .collect(Collectors.toSet());
    }

    private static FireDecision of(Facts task, Set<Long> misfired, Set<Long> started, int free) {
        if (!task.due) {
            return EARLY;
        }
        if (!task.unchanged) {
            return STALE;
        }
        if (misfired.contains(task.jobId) && MisfireDecision.isMisfire(task.cause, task.late, Duration.ZERO)) {
            return MISFIRED;
        }
        if (task.executing) {
            return STILL_EXECUTING;
        }
        if (started.contains(task.jobId)) {
            return BEATEN;
        }
        return free > 0 ? START : NO_SLOT;
    }

    private static FireDecision skip(String why) {
        return new FireDecision(Kind.SKIP, why + " (overlap SKIP)");
    }
}
