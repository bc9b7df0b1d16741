package dev.rowlock.job.calendar;

import dev.rowlock.audit.Audit;
import dev.rowlock.calendar.CalendarMoved;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.Edit;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.store.ManyJobs.Changes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that follow a calendar that was changed: each gets a new version, by the calendar's version in force, and with
 * that the fire times that this one asks for. Small batches, each under few stripes: what is due elsewhere does not
 * wait. What was begun, and whose node died, is completed by any other; nobody does it twice.
 */
public final class FollowingJobs {

    private static final Logger log = LoggerFactory.getLogger(FollowingJobs.class);
    private static final int BATCH = 50;
    /** Number of times that others may change a job of a batch, or its calendar, at the same time. */
    private static final int TRIES = 10;

    private final CalendarStore store;
    private final ManyJobs many;

    public FollowingJobs(CalendarStore store, ManyJobs many) {
        this.store = store;
        this.many = many;
    }

    /** Returns the same for somebody, who is named as the author of the versions. */
    FollowingJobs by(Audit somebody) {
        return new FollowingJobs(store, many.by(somebody));
    }

    /** Returns whether jobs may go by earlier versions of a calendar. */
    public boolean areBehind() {
        return !store.moving().isEmpty();
    }

    /** Completes what was begun, some time ago or just now. Returns false: that was all. */
    public boolean complete() {
        for (String name : store.moving()) {
            try {
                follow(name);
            } catch (Refused e) {
                log.warn("{}", e.getMessage());
            }
        }
        return false;
    }

    /**
     * Moves all jobs that go by an earlier version of a calendar.
     *
     * @throws Refused this node does not understand one of them; all others were moved
     */
    void follow(String name) {
        String mark = store.mark(name).orElse(""); // it was deleted: no job names it
        List<Long> behind = store.behind(name, mark);
        List<JobKey> notUnderstood = new ArrayList<>();
        for (int from = 0; from < behind.size(); from += BATCH) {
            move(name, behind.subList(from, Math.min(behind.size(), from + BATCH)), notUnderstood);
        }
        if (!behind.isEmpty()) {
            log.info("calendar {} in version {}: {} jobs follow it", name, mark, behind.size());
        }
        if (!notUnderstood.isEmpty()) {
            throw new Refused(
                    Reason.BUSY,
                    "calendar " + name + " was changed, but this node does not understand the definition of job "
                            + notUnderstood.get(0) + ": it follows as soon as a node of a newer version is alive");
        }
        store.moved(name, mark);
    }

    private void move(String name, List<Long> jobs, List<JobKey> notUnderstood) {
        for (int tried = 0; tried < TRIES; tried++) {
            List<Long> there = tried == 0 ? jobs : many.existing(jobs);
            List<JobKey> strange = new ArrayList<>();
            try {
                many.change(there, "moving " + there.size() + " jobs to calendar " + name, changes -> {
                    strange.clear();
                    return move(changes, there, strange);
                });
                notUnderstood.addAll(strange);
                return;
            } catch (CalendarMoved | JobsGone e) { // by a later change, or without what is gone
                log.debug("{} jobs of calendar {} are moved once more", jobs.size(), name, e);
            }
        }
        throw new Refused(
                Reason.BUSY, "jobs of calendar " + name + " are being changed by others all the time; try again");
    }

    private static boolean move(Changes changes, List<Long> jobs, List<JobKey> notUnderstood) {
        Map<String, PinnedCalendar> inForce = new HashMap<>();
        boolean allThere = changes.changeAll(jobs, change -> {
            if (change.job().stored().isUnderstood()) {
                move(change, inForce);
            } else {
                notUnderstood.add(change.job().key());
            }
        });
        if (!allThere) {
            throw new JobsGone();
        }
        return true;
    }

    private static void move(JobChange change, Map<String, PinnedCalendar> inForce) {
        JobCalendars named = change.job().definition().calendar();
        if (named == null) { // somebody took it away in between
            return;
        }
        List<String> unknown = named.names().stream()
                .filter(name -> !inForce.containsKey(name))
                .toList();
        inForce.putAll(change.calendarsInForce(unknown));
        StoredDefinition to = change.job().stored().by(inForce);
        if (!to.equals(change.job().stored())) {
            Objects.requireNonNull(Edit.ofCalendars(change.job(), to).carryOut(change));
        }
    }

    /** Signal to roll the transaction back. */
    private static final class JobsGone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        JobsGone() {
            super(null, null, false, false);
        }
    }
}
