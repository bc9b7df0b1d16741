package dev.rowlock.control;

import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.Rescheduling;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.job.JobChange;
import java.util.Objects;
import java.util.Optional;

/** A new version of a job's definition or pause: worked out before, carried out under the job's shard row. */
final class Edit {

    private final StoredJob seen;
    private final StoredDefinition to;
    private final Fires fires;
    private final Schedule before;
    private final String reason;

    /** What becomes of the fire times. */
    private enum Fires {
        STAY,
        /** Others are asked for from now on. */
        CHANGE,
        /** The same, but they are due at another distance from them. */
        SPREAD,
        /** The same, but the cursor may have been led beyond them while the database's clock was ahead. */
        COME_BACK
    }

    private Edit(StoredJob seen, StoredDefinition to, Fires fires, String reason) {
        this.seen = seen;
        this.to = to;
        this.fires = fires;
        this.before = ReschedulingFacts.inForce(seen);
        this.reason = reason;
    }

    /** @throws Refused it may have other fire times, which this node cannot tell */
    static Edit of(StoredJob seen, StoredDefinition to) {
        return new Edit(seen, to, fires(seen, to), Rescheduling.CHANGED);
    }

    /** @param reason of what is no longer asked for, as the same definition means other fire times by now */
    static Edit ofCursor(StoredJob seen, String reason) {
        return new Edit(seen, seen.stored(), Fires.CHANGE, reason);
    }

    /**
     * Nothing changes, but the cursor may lie too far ahead, as the database's clock was ahead.
     *
     * @throws Refused this node cannot tell the fire times
     */
    static Edit ofCursorAhead(StoredJob seen) {
        if (!seen.stored().isUnderstood()) {
            throw Refused.notUnderstood(seen);
        }
        return new Edit(seen, seen.stored(), Fires.COME_BACK, Rescheduling.CHANGED);
    }

    /** Empty if the job is no longer what was seen. */
    Optional<StoredJob> carryOut(JobChange change) {
        return isAsSeen(change, seen) ? Optional.of(changed(change)) : Optional.empty();
    }

    static boolean isAsSeen(JobChange change, StoredJob seen) {
        return change.job().id() == seen.id() && change.job().version() == seen.version();
    }

    private static Fires fires(StoredJob seen, StoredDefinition to) {
        if (isRescheduled(seen, to)) {
            return Fires.CHANGE;
        }
        boolean sameJitter =
                Objects.equals(seen.definition().jitter(), to.definition().jitter());
        return sameJitter ? Fires.STAY : Fires.SPREAD;
    }

    private static boolean isRescheduled(StoredJob seen, StoredDefinition to) {
        if (to.isUnderstood()) {
            return !seen.stored().isUnderstood()
                    || !Objects.equals(
                            seen.definition().maxRuns(), to.definition().maxRuns())
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
        if (fires == Fires.CHANGE) {
            change.apply(Rescheduling.changeSchedule(facts(change).ofNewSchedule(), wasPaused, reason));
        } else if (fires == Fires.COME_BACK) {
            change.apply(Rescheduling.bringBackCursor(facts(change).fromNow()));
        } else if (wasPaused && !paused) {
            change.apply(Rescheduling.resume(facts(change).fromNow()));
        } else if (fires == Fires.SPREAD && !wasPaused) {
            change.apply(Rescheduling.changeJitter(facts(change).ofNewSchedule()));
        }
        StoredJob job = change.save(to);
        if (fires == Fires.COME_BACK) {
            change.tasks().dueAgain();
        }
        if (paused) {
            change.tasks().park();
        } else if (wasPaused) {
            change.tasks().unpark();
        }
        return job;
    }

    private ReschedulingFacts facts(JobChange change) {
        return new ReschedulingFacts(change, before, ReschedulingFacts.of(to.definition(), seen.createdAt(), change));
    }
}
