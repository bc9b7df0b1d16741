package dev.rowlock.control;

import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.Pause;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.Rescheduling;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.job.JobChange;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** A new version of a job's definition or pause: worked out before, carried out under the job's stripe row. */
final class Edit {

    private final StoredJob seen;
    private final StoredDefinition to;
    private final Pause pause;
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
        COME_BACK,
        /** The same from when the pause was to end, which is not now if nobody was there to end it. */
        GO_ON
    }

    private Edit(StoredJob seen, StoredDefinition to, Pause pause, Fires fires, String reason) {
        this.seen = seen;
        this.to = to;
        this.pause = pause;
        this.fires = fires;
        this.before = ReschedulingFacts.inForce(seen);
        this.reason = reason;
    }

    /**
     * A job that stays paused is paused as it was.
     *
     * @throws Refused it may have other fire times, which this node cannot tell
     */
    static Edit of(StoredJob seen, StoredDefinition to) {
        return of(seen, to, to.definition().paused() ? seen.pause() : Pause.OPEN);
    }

    /** @throws Refused it may have other fire times, which this node cannot tell */
    static Edit of(StoredJob seen, StoredDefinition to, Pause pause) {
        return new Edit(seen, to, pause, fires(seen, to), Rescheduling.CHANGED);
    }

    /**
     * The job resumes because its pause was to last until then.
     *
     * @throws Refused this node cannot tell its fire times
     */
    static Edit ofPauseOver(StoredJob seen) {
        StoredDefinition to = seen.stored().withPaused(false);
        if (isRescheduled(seen, to)) {
            throw new IllegalStateException("to resume job " + seen.key() + " would change its schedule");
        }
        return new Edit(seen, to, Pause.OPEN, Fires.GO_ON, Rescheduling.CHANGED);
    }

    /** @param reason of what is no longer asked for, as the same definition means other fire times by now */
    static Edit ofCursor(StoredJob seen, String reason) {
        return new Edit(seen, seen.stored(), seen.pause(), Fires.CHANGE, reason);
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
        return new Edit(seen, seen.stored(), seen.pause(), Fires.COME_BACK, Rescheduling.CHANGED);
    }

    /** Empty if the job is no longer what was seen. */
    Optional<StoredJob> carryOut(JobChange change) {
        if (!isAsSeen(change, seen) || (fires == Fires.GO_ON && !isPauseOver(change))) {
            return Optional.empty();
        }
        return Optional.of(changed(change));
    }

    /**
     * Deletes a job. What is executing finishes; everything else ends as cancelled.
     *
     * @param before its schedule
     */
    static void delete(JobChange change, Schedule before) {
        change.unprepare();
        change.apply(Rescheduling.delete(change.live(), before, change.now()));
        change.delete();
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
        change.unprepare();
        if (fires == Fires.CHANGE) {
            change.apply(Rescheduling.changeSchedule(facts(change, change.now()).ofNewSchedule(), wasPaused, reason));
        } else if (fires == Fires.COME_BACK) {
            change.apply(
                    Rescheduling.bringBackCursor(facts(change, change.now()).fromNow()));
        } else if (fires == Fires.GO_ON) {
            change.apply(Rescheduling.resume(facts(change, endOfPause(change)).fromNow()));
        } else if (wasPaused && !paused) {
            change.apply(Rescheduling.resume(facts(change, change.now()).fromNow()));
        } else if (fires == Fires.SPREAD && !wasPaused) {
            change.apply(Rescheduling.changeJitter(facts(change, change.now()).fromNow()));
        }
        StoredJob job = change.save(to, pause);
        if (fires == Fires.COME_BACK) {
            change.tasks().dueAgain();
        }
        if (paused) {
            change.park();
        } else if (wasPaused) {
            change.unpark();
        }
        return job;
    }

    /**
     * The last moment of the pause: a fire time at its very end runs. What was decided of fire times up to the last
     * change of the job stands, should its pause have been over by then.
     */
    private static Instant endOfPause(JobChange change) {
        Instant last = Objects.requireNonNull(change.job().pause().until()).minusMillis(1);
        Instant changed = change.job().updatedAt();
        return changed.isAfter(last) && !changed.isAfter(change.now()) ? changed : last;
    }

    private static boolean isPauseOver(JobChange change) {
        Instant until = change.job().pause().until();
        return until != null && !until.isAfter(change.now());
    }

    private ReschedulingFacts facts(JobChange change, Instant at) {
        return new ReschedulingFacts(
                change, before, ReschedulingFacts.of(to.definition(), seen.createdAt(), change), at);
    }
}
