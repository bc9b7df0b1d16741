package dev.rowlock.control;

import dev.rowlock.job.JobKey;
import dev.rowlock.job.JobsMatching;
import dev.rowlock.job.JobsMatching.ToPause;
import dev.rowlock.job.Pause;
import dev.rowlock.job.StoredJob;
import dev.rowlock.store.audit.AuditAction;
import java.time.Instant;
import java.util.Optional;

/** Holds back everything of jobs but manual runs, and lets it go. Thread-safe. */
public final class Pauses {

    private final JobEdits edits;
    private final JobEdits pausing;
    private final JobEdits resuming;

    Pauses(JobEdits edits) {
        this.edits = edits;
        this.pausing = edits.doing(AuditAction.PAUSE);
        this.resuming = edits.doing(AuditAction.RESUME);
    }

    /**
     * Pauses a job. One that is paused already is paused as said now.
     *
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public JobView pause(JobKey key, Pause pause, Precondition precondition) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.existing(key, precondition);
            return pausing.tryTo(seen, seen.stored().withPaused(true), pause, precondition)
                    .map(edits::view);
        });
    }

    /**
     * Lets a job go on from now, with what was set aside of it.
     *
     * @throws Refused if there is no such job, or the precondition does not hold
     */
    public JobView resume(JobKey key, Precondition precondition) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.existing(key, precondition);
            Optional<StoredJob> resumed = seen.definition().paused()
                    ? resuming.tryTo(seen, seen.stored().withPaused(false), Pause.OPEN, precondition)
                    : Optional.of(resuming.release(key, precondition));
            return resumed.map(edits::view);
        });
    }

    /**
     * Pauses all jobs that match, each in a transaction of its own. What is paused already for at least as long stays
     * as it is: somebody had a reason.
     *
     * @param afterEach called after each job; what it throws ends the work
     */
    public ManyChanged pause(ToPause asked, Runnable afterEach) {
        asked.pause().mustLieAhead(edits.store().now());
        return ManyChanged.of(
                filter(asked.jobs()), edits.queries(), afterEach, key -> changes(key, asked.pause(), true));
    }

    /** Lets all jobs that match go on, likewise. */
    public ManyChanged resume(JobsMatching jobs, Runnable afterEach) {
        return ManyChanged.of(filter(jobs), edits.queries(), afterEach, key -> changes(key, Pause.OPEN, false));
    }

    /** @throws dev.rowlock.access.Forbidden they name a namespace of others */
    private ManyChanged.Pages filter(JobsMatching jobs) {
        if (jobs.namespace() != null) {
            edits.asker().requireNamespace(jobs.namespace());
        }
        return (after, limit) -> jobs.page(after, limit).within(edits.asker().within());
    }

    private boolean changes(JobKey key, Pause pause, boolean paused) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.find(key);
            boolean stays = paused
                    ? seen.definition().paused() && lasts(seen.pause(), pause)
                    : !seen.definition().paused();
            return stays
                    ? Optional.of(false)
                    : (paused ? pausing : resuming)
                            .tryTo(seen, seen.stored().withPaused(paused), pause, Precondition.NONE)
                            .map(job -> true);
        });
    }

    /** Whether a pause is at least as long as another. */
    private static boolean lasts(Pause pause, Pause other) {
        Instant until = pause.until();
        return until == null || (other.until() != null && !until.isBefore(other.until()));
    }
}
