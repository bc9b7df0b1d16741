package dev.rowlock.control;

import dev.rowlock.job.DefinitionJson;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.StoredJob;
import dev.rowlock.store.job.ZonedCursors;
import dev.rowlock.store.job.ZonedCursors.Cursor;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Countries change their clocks by law, sometimes at a few weeks' notice. A node that knows newer time zone rules than those that the cursors
 * were made with moves the cursors of the jobs concerned to where the newer rules put them.
 */
public final class ZoneRules {

    private static final Logger log = LoggerFactory.getLogger(ZoneRules.class);
    /** So many ids of jobs are looked through by one statement, which has the server read their definitions. */
    private static final int SPAN = 1_000;

    private final ZonedCursors cursors;
    private final Jobs jobs;
    private final String own;

    /** @param own the version of this node's rules, see {@link dev.rowlock.schedule.TimeZoneData#version} */
    public ZoneRules(ZonedCursors cursors, Jobs jobs, String own) {
        this.cursors = cursors;
        this.jobs = jobs;
        this.own = own;
    }

    /** Does nothing unless this node's rules are newer than those recorded. Can be repeated after a crash in its middle. */
    public void bringUpToDate() {
        Optional<String> recorded = cursors.recordedVersion();
        if (recorded.isPresent() && recorded.get().compareTo(own) >= 0) {
            if (recorded.get().compareTo(own) > 0) {
                log.warn(
                        "this node's time zone rules ({}) are older than those of another node ({}): in zones that changed"
                                + " since it may place fire times wrongly; update its Java",
                        own,
                        recorded.get());
            }
            return;
        }
        int moved = moveCursors();
        cursors.record(own);
        if (moved > 0) {
            log.info("time zone rules {}: the next fire times of {} jobs were set anew", own, moved);
        }
    }

    private int moveCursors() {
        int moved = 0;
        long last = cursors.lastJob();
        for (long after = 0; after < last; after += SPAN) {
            for (Cursor cursor : cursors.between(after, after + SPAN)) {
                if (isMisplaced(cursor) && jobs.setCursorAnew(definition(cursor).key())) {
                    moved++;
                }
            }
        }
        return moved;
    }

    /** What is overdue was asked for when it was made, and is fired; the cursor moves on from it by the newer rules. */
    private static boolean isMisplaced(Cursor cursor) {
        if (!cursor.fireTime().isAfter(cursor.now())) {
            return false;
        }
        JobSchedule schedule;
        try {
            schedule = JobSchedule.of(definition(cursor), cursor.createdAt());
        } catch (RuntimeException e) {
            log.warn("the definition of job {} cannot be read, its cursor stays", cursor.jobId(), e);
            return false;
        }
        Instant made = cursor.made();
        Instant from = made != null && made.isAfter(cursor.now()) ? made : cursor.now();
        return !schedule.nextAfter(from).equals(Optional.of(cursor.fireTime()))
                || (from.equals(made) && !schedule.matches(from));
    }

    private static JobDefinition definition(Cursor cursor) {
        return DefinitionJson.read(cursor.json(), false);
    }

    /** @see Jobs#setCursorAnew */
    static String reason(StoredJob job) {
        return "the rules of its time zone (" + job.definition().zone() + ") changed before it was run";
    }
}
