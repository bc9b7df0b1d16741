package dev.rowlock.job;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Refused;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.rule.Rescheduling;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** New version of a job's definition or pause: computed beforehand, carried out under the job's stripe row. */
public final class Edit {

    private final StoredJob seen;
    private final StoredDefinition to;
    private final Pause pause;
    private final Fires fires;
    private final Schedule before;
    private final String reason;

    /** Effect of an edit on fire times. */
    private enum Fires {
        STAY,
        /** They are others from now on. */
        CHANGE,
        /** They stay the same; their jitter changes. */
        SPREAD,
        /** They stay the same, but the cursor may lie beyond them because the database's clock was ahead. */
        COME_BACK,
        /**
         * They stay the same from when the pause was to end, which is earlier than now if no node was alive to end it.
         */
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
     * Creates an edit of the definition. A job that stays paused is paused as it was.
     *
     * @throws Refused it may have other fire times, which this node cannot tell
     */
    public static Edit of(StoredJob seen, StoredDefinition to) {
        return of(seen, to, to.definition().paused() ? seen.pause() : Pause.OPEN);
    }

    /** @throws Refused it may have other fire times, which this node cannot tell */
    public static Edit of(StoredJob seen, StoredDefinition to, Pause pause) {
        return new Edit(seen, to, pause, fires(seen, to), Rescheduling.CHANGED);
    }

    /**
     * Creates an edit that resumes the job because its pause has ended.
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
     * Creates an edit that goes by other versions of the job's calendars.
     *
     * @throws Refused this node cannot tell the fire times
     */
    public static Edit ofCalendars(StoredJob seen, StoredDefinition to) {
        if (!to.isUnderstood()) {
            throw Refused.notUnderstood(seen);
        }
        return new Edit(seen, to, seen.pause(), Fires.CHANGE, "a calendar was changed before it was run");
    }

    /**
     * Creates an edit that changes nothing, but corrects a cursor too far ahead because the database's clock was ahead.
     *
     * @throws Refused this node cannot tell the fire times
     */
    static Edit ofCursorAhead(StoredJob seen) {
        if (!seen.stored().isUnderstood()) {
            throw Refused.notUnderstood(seen);
        }
        return new Edit(seen, seen.stored(), seen.pause(), Fires.COME_BACK, Rescheduling.CHANGED);
    }

    /** Carries the edit out; returns empty if the job has changed since it was read. */
    public Optional<StoredJob> carryOut(JobChange change) {
        if (!isAsSeen(change, seen) || (fires == Fires.GO_ON && !isPauseOver(change))) {
            return Optional.empty();
        }
        return Optional.of(changed(change));
    }

    /**
     * Deletes a job. Its executing tasks finish; all others end as cancelled.
     *
     * @param before its schedule
     */
    public static void delete(JobChange change, Schedule before) {
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
     * Returns the last moment of the pause: a fire time at its very end runs. If the job was last changed after that,
     * earlier decisions on fire times stand.
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
