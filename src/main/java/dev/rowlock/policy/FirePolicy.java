package dev.rowlock.policy;

import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.Overlap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What of a job's definition decides whether a task of it is started when its time has come.
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

    /** How many wait under {@code QUEUE}, and for anything else under {@code ALLOW}, where the job says nothing. */
    static final int QUEUED = 100;

    /** That of a job that uses no policy. */
    public static final FirePolicy PLAIN =
            new FirePolicy(Overlap.SKIP, 0, null, null, false, null, null, null, 0, null, true);

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

    /** The same, where one run is to obey another overlap. */
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

    /** Whether the job's other tasks have to be known, and not only whether one of them executes. */
    public boolean concernsOthers() {
        boolean unlimited = overlap == Overlap.ALLOW && overlapLimit == Integer.MAX_VALUE;
        boolean byOverlap = overlap != Overlap.SKIP && !unlimited;
        boolean byRetries = retries && overlap != Overlap.ALLOW;
        return byOverlap || byRetries || maxRuns != null || maxPerNode != null || broadcast != null;
    }

    /** Whether it does not suffice to know those that execute and the one that comes first. */
    boolean concernsAll() {
        return broadcast != null || overlap == Overlap.REPLACE || (overlap == Overlap.SKIP && concernsOthers());
    }

    /** Whether it matters if a task of the job executes, and no more than that. */
    public boolean concernsExecuting() {
        return overlap == Overlap.SKIP && !concernsOthers();
    }

    /** Whether a task of the job is skipped if another executes. */
    public boolean skips() {
        return overlap == Overlap.SKIP && broadcast == null;
    }

    /**
     * Whether what is due behind an occurrence that is late can be skipped before that one has started: no policy but
     * the overlap may keep it from starting, and let one behind it go first.
     */
    boolean passesOver() {
        return skips() && startDeadline == null && maxRuns == null && maxPerNode == null && group == null;
    }

    /** Whether a task of the job may wait until another has ended. */
    public boolean wakes() {
        boolean takesTurns = broadcast != null && broadcast.parallel() != null;
        return overlap == Overlap.QUEUE || overlap == Overlap.REPLACE || maxPerNode != null || takesTurns;
    }

    /** The same of a run that was to obey another overlap: others like it may wait for it. */
    public boolean wakesAs(@Nullable Overlap other) {
        return wakes() || with(other).wakes();
    }

    /** Whether the failure of one part of a broadcast cancels those that have not started. */
    public boolean stopsOnFailure() {
        return broadcast != null && broadcast.stopsOnFailure();
    }

    /** How late an occurrence may be started as if nothing were. */
    public Duration threshold(Duration ofTheCluster) {
        return misfireThreshold == null ? ofTheCluster : misfireThreshold;
    }
}
