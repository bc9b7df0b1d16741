package dev.rowlock.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.calendar.CalendarMoved;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Precondition;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Concurrent edits of jobs: optimistic, and tried again when somebody else was first. */
record JobEdits(JobStore store, JobQueries queries, Runnable wake, OnBehalf asker) {

    /** Returns edits that are audited as this action. */
    JobEdits doing(AuditAction action) {
        return new JobEdits(store.by(asker.doing(action)), queries, wake, asker);
    }

    private static final Logger log = LoggerFactory.getLogger(JobEdits.class);

    /** Number of tries of a change that others get ahead of. */
    private static final int TRIES = 10;

    /** Repeats a change while it returns empty, which means that somebody else changed the job in between. */
    static <T> T repeated(JobKey key, Supplier<Optional<T>> change) {
        for (int tried = 0; tried < TRIES; tried++) {
            Optional<T> done = unlessMoved(key, change);
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw busy(key);
    }

    private static Refused busy(JobKey key) {
        return new Refused(Reason.BUSY, "job " + key + " is being changed by others all the time; try again");
    }

    /** Repeats a change as long as a calendar of the job is changed at the same time. */
    static <T> T unlessMoved(JobKey key, Supplier<T> change) {
        for (int tried = 0; tried < TRIES; tried++) {
            try {
                return change.get();
            } catch (CalendarMoved moved) { // the next try goes by the version that is in force by then
                log.debug("job {} is changed once more", key, moved);
            }
        }
        throw busy(key);
    }

    StoredJob find(JobKey key) {
        return store.find(key).orElseThrow(() -> Refused.noSuchJob(key));
    }

    StoredJob existing(JobKey key, Precondition precondition) {
        StoredJob seen = find(key);
        precondition.check(seen);
        return seen;
    }

    JobView view(StoredJob job) {
        return new JobView(job, queries.facts(job));
    }

    /** Retries the quarantined tasks of a job now. */
    StoredJob release(JobKey key, Precondition precondition) {
        StoredJob job = store.change(key, "releasing what was set aside of", change -> {
                    precondition.check(change.job());
                    int freed = change.tasks().free();
                    if (freed > 0) {
                        change.note("job", JsonNodeFactory.instance.objectNode().put("released", freed));
                    }
                    return change.job();
                })
                .orElseThrow(() -> Refused.noSuchJob(key));
        wake.run();
        return job;
    }

    /**
     * Carries out an edit; returns empty if the job has changed since it was read. Wakes the engine. An edit that
     * changes nothing makes no version.
     */
    Optional<StoredJob> tryTo(StoredJob seen, StoredDefinition to, Pause pause, Precondition precondition) {
        if (seen.stored().equals(to) && seen.pause().equals(pause)) {
            wake.run();
            return Optional.of(seen);
        }
        Edit edit = Edit.of(seen, to, pause);
        Function<JobChange, Optional<StoredJob>> work = change -> {
            precondition.check(change.job());
            if (!pause.equals(seen.pause())) {
                pause.mustLieAhead(change.now());
            }
            return edit.carryOut(change);
        };
        Optional<StoredJob> changed = store.change(seen.key(), "changing", work).flatMap(job -> job);
        changed.ifPresent(job -> wake.run());
        return changed;
    }
}
