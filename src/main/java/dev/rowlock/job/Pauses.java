package dev.rowlock.job;

import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobsMatching;
import dev.rowlock.definition.JobsMatching.ToPause;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.job.ManyChanged.BulkChange;
import dev.rowlock.job.ManyChanged.Together;
import dev.rowlock.job.store.ManyJobs;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Pauses, which hold back all of a job but manual runs. Thread-safe. */
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
     * Pauses a job, or changes its pause.
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
     * Resumes a job from now, with its quarantined tasks.
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
     * Pauses all matching jobs, some in each transaction. A job already paused for at least as long stays as it is:
     * somebody had a reason.
     *
     * @param afterEach called after each job; what it throws ends the work
     */
    public ManyChanged pause(ToPause asked, Runnable afterEach) {
        asked.pause().mustLieAhead(edits.store().now());
        return ManyChanged.of(filter(asked.jobs()), edits.queries(), afterEach, change(asked.pause(), true));
    }

    /** Resumes all matching jobs, some in each transaction. */
    public ManyChanged resume(JobsMatching jobs, Runnable afterEach) {
        return ManyChanged.of(filter(jobs), edits.queries(), afterEach, change(Pause.OPEN, false));
    }

    /** @throws dev.rowlock.access.Forbidden they name a namespace of others */
    private ManyChanged.Pages filter(JobsMatching jobs) {
        if (jobs.namespace() != null) {
            edits.asker().requireNamespace(jobs.namespace());
        }
        return (after, limit) -> jobs.page(after, limit).within(edits.asker().within());
    }

    private BulkChange change(Pause pause, boolean paused) {
        return new BulkChange() {
            @Override
            public Together together(List<JobKey> keys) {
                return changeTogether(keys, pause, paused);
            }

            @Override
            public boolean alone(JobKey key) {
                return changes(key, pause, paused);
            }
        };
    }

    private Together changeTogether(List<JobKey> keys, Pause pause, boolean paused) {
        ManyJobs jobs = (paused ? pausing : resuming).store().together();
        List<Long> ids = jobs.ids(keys);
        Together done = jobs.change(ids, (paused ? "pausing " : "resuming ") + ids.size() + " jobs", changes -> {
            AtomicLong changed = new AtomicLong();
            boolean areThere = changes.changeAll(ids, change -> {
                StoredJob job = change.job();
                if (!stays(job, pause, paused)) {
                    pause.mustLieAhead(change.now());
                    Edit edit = Edit.of(job, job.stored().withPaused(paused), pause);
                    changed.addAndGet(edit.carryOut(change).isPresent() ? 1 : 0);
                }
            });
            if (!areThere) {
                throw new IllegalStateException("one of the jobs is gone"); // which undoes the others
            }
            return new Together(ids.size(), changed.get());
        });
        edits.wake().run();
        return done;
    }

    private static boolean stays(StoredJob job, Pause pause, boolean paused) {
        return paused
                ? job.definition().paused() && lasts(job.pause(), pause)
                : !job.definition().paused();
    }

    private boolean changes(JobKey key, Pause pause, boolean paused) {
        return JobEdits.repeated(key, () -> {
            StoredJob seen = edits.find(key);
            return stays(seen, pause, paused)
                    ? Optional.of(false)
                    : (paused ? pausing : resuming)
                            .tryTo(seen, seen.stored().withPaused(paused), pause, Precondition.NONE)
                            .map(job -> true);
        });
    }

    /** Returns whether a pause is at least as long as another. */
    private static boolean lasts(Pause pause, Pause other) {
        Instant until = pause.until();
        return until == null || (other.until() != null && !until.isBefore(other.until()));
    }
}
