package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Overlap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Part of a job's definition that decides whether a task of it is started when its time has come.
 *
 * @param overlapLimit how many may wait ({@code QUEUE}) or execute at once ({@code ALLOW})
 * @param misfireThreshold null: that of the cluster
 * @param startDeadline how late after its fire time an occurrence may start; null: at any time
 * @param retries whether a task of it may be waiting for a retry
 * @param maxRuns null: there is no limit
 * @param maxPerNode likewise
 * @param group whose limit it shares; null: none
 * @param priority how many minutes it goes before others of its group, and of what is due on a node
 * @param broadcast null: it runs on one node
 * @param told whether the end of another task of the job wakes what waits for it; else that has to look by itself
 */
public record FirePolicy(
        Overlap overlap,
        int overlapLimit,
        @Nullable Duration misfireThreshold,
        @Nullable Duration startDeadline,
        boolean retries,
        @Nullable Integer maxRuns,
        @Nullable Integer maxPerNode,
        @Nullable String group,
        int priority,
        @Nullable Broadcast broadcast,
        boolean told) {

    /** Default number of tasks that wait under {@code QUEUE}, and for anything else under {@code ALLOW}. */
    static final int QUEUED = 100;

    /** Policy of a job that uses none. */
    public static final FirePolicy PLAIN =
            new FirePolicy(Overlap.SKIP, 0, null, null, false, null, null, null, 0, null, true);

    /** Returns the policy of a job; {@link #PLAIN} itself if it has no other, so that most jobs share one. */
    public static FirePolicy of(JobDefinition job) {
        FirePolicy policy = new FirePolicy(
                job.overlap(),
                limit(job),
                job.misfireThreshold(),
                job.startDeadline(),
                job.retry() != null,
                job.maxRuns(),
                job.maxPerNode(),
                job.group(),
                job.priority(),
                Broadcast.of(job),
                true);
        return policy.equals(PLAIN) ? PLAIN : policy;
    }

    private static int limit(JobDefinition job) {
        if (job.overlapLimit() != null) {
            return job.overlapLimit();
        }
        return switch (job.overlap()) {
            case QUEUE -> QUEUED;
            case ALLOW -> Integer.MAX_VALUE;
            case SKIP, REPLACE -> 0;
        };
    }

    /** Returns this policy with another overlap, for one run. */
    public FirePolicy with(@Nullable Overlap other) {
        if (other == null || other == overlap) {
            return this;
        }
        int limit = other == Overlap.QUEUE ? QUEUED : Integer.MAX_VALUE;
        return new FirePolicy(
                other,
                limit,
                misfireThreshold,
                startDeadline,
                retries,
                maxRuns,
                maxPerNode,
                group,
                priority,
                broadcast,
                wakes());
    }

    /** Returns whether the job's other tasks have to be known, and not only whether one of them executes. */
    public boolean concernsOthers() {
        boolean unlimited = overlap == Overlap.ALLOW && overlapLimit == Integer.MAX_VALUE;
        boolean byOverlap = overlap != Overlap.SKIP && !unlimited;
        boolean byRetries = retries && overlap != Overlap.ALLOW;
        return byOverlap || byRetries || maxRuns != null || maxPerNode != null || broadcast != null;
    }

    /** Returns whether it does not suffice to know those that execute and the one that comes first. */
    boolean concernsAll() {
        return broadcast != null || overlap == Overlap.REPLACE || (overlap == Overlap.SKIP && concernsOthers());
    }

    /** Returns whether it matters if a task of the job executes, and no more than that. */
    public boolean concernsExecuting() {
        return overlap == Overlap.SKIP && !concernsOthers();
    }

    /** Returns whether several occurrences of the job may be held at once, as many as its limits say. */
    public boolean keepsSeveral() {
        return overlap == Overlap.QUEUE || overlap == Overlap.ALLOW;
    }

    /** Returns how many of the job may be held at once, if it keeps several. */
    int mostWaiting() {
        return overlapLimit == Integer.MAX_VALUE ? QUEUED : overlapLimit;
    }

    /** Returns whether a task of the job is skipped if another executes. */
    public boolean skips() {
        return overlap == Overlap.SKIP && broadcast == null;
    }

    /**
     * Returns whether what is due behind a late occurrence can be skipped before that one has started: no policy but
     * the overlap may keep it from starting, and let one behind it go first.
     */
    boolean passesOver() {
        return skips() && startDeadline == null && maxRuns == null && maxPerNode == null && group == null;
    }

    /** Returns whether a task of the job may wait until another has ended. */
    public boolean wakes() {
        boolean takesTurns = broadcast != null && broadcast.parallel() != null;
        return overlap == Overlap.QUEUE || overlap == Overlap.REPLACE || maxPerNode != null || takesTurns;
    }

    /** Returns whether others may wait for the end of a run with another overlap: those like it may. */
    public boolean wakesAs(@Nullable Overlap other) {
        return wakes() || with(other).wakes();
    }

    /** Returns whether the failure of one part of a broadcast cancels those that have not started. */
    public boolean stopsOnFailure() {
        return broadcast != null && broadcast.stopsOnFailure();
    }

    /** Returns how late an occurrence may still start normally. */
    public Duration threshold(Duration ofTheCluster) {
        return misfireThreshold == null ? ofTheCluster : misfireThreshold;
    }
}
