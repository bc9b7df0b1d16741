package dev.rowlock.control;

import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.store.JobChange;
import dev.rowlock.store.StoredJob;
import java.util.Optional;

/** A new version of a job's definition or pause: worked out before, carried out under the job's shard row. */
final class Edit {

    private final StoredJob seen;
    private final StoredDefinition to;
    private final boolean rescheduled;
    private final Elapsed elapsed;
    private final String reason;

    private Edit(StoredJob seen, StoredDefinition to, boolean rescheduled, String reason) {
        this.seen = seen;
        this.to = to;
        this.rescheduled = rescheduled;
        this.elapsed = Elapsed.of(seen);
        this.reason = reason;
    }

    /** @throws Refused it may have other fire times, which this node cannot tell */
    static Edit of(StoredJob seen, StoredDefinition to) {
        return new Edit(seen, to, isRescheduled(seen, to), Occurrences.CHANGED);
    }

    /**
     * The definition stays, but means other fire times by now.
     *
     * @param reason of what only the former ones were
     */
    static Edit ofCursor(StoredJob seen, String reason) {
        return new Edit(seen, seen.stored(), true, reason);
    }

    /** Empty if the job is no longer what was seen. */
    Optional<StoredJob> carryOut(JobChange change) {
        return isAsSeen(change, seen) ? Optional.of(changed(change)) : Optional.empty();
    }

    static boolean isAsSeen(JobChange change, StoredJob seen) {
        return change.job().id() == seen.id() && change.job().version() == seen.version();
    }

    private static boolean isRescheduled(StoredJob seen, StoredDefinition to) {
        if (to.isUnderstood()) {
            return !seen.stored().isUnderstood()
                    || !JobSchedule.isSame(seen.definition(), to.definition(), seen.createdAt());
        }
        boolean resumed = seen.definition().paused() && !to.definition().paused();
        if (resumed || !to.saysWhenLike(seen.stored())) {
            throw Refused.notUnderstood(seen);
        }
        return false;
    }

    private StoredJob changed(JobChange change) {
        boolean wasPaused = change.job().definition().paused();
        boolean paused = to.definition().paused();
        change.tasks().unprepare();
        if (rescheduled) {
            occurrences(change).reschedule(wasPaused);
        } else if (wasPaused && !paused) {
            occurrences(change).resume();
        }
        StoredJob job = change.save(to);
        if (paused) {
            change.tasks().park();
        } else if (wasPaused) {
            change.tasks().unpark();
        }
        return job;
    }

    private Occurrences occurrences(JobChange change) {
        return new Occurrences(change, JobSchedule.of(to.definition(), seen.createdAt()), elapsed, reason);
    }
}
