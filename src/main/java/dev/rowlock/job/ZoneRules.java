package dev.rowlock.job;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.job.store.ZonedCursors;
import dev.rowlock.job.store.ZonedCursors.ZoneRulesState;
import dev.rowlock.job.store.ZonedCursors.ZonedCursor;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correction of cursors by newer time zone rules: a node that has newer ones than the cursors were made with moves the
 * cursors of the jobs concerned. Nodes with older rules go on making cursors while Java is updated node by node: so
 * this is repeated when the last of them has gone.
 */
public final class ZoneRules {

    private static final Logger log = LoggerFactory.getLogger(ZoneRules.class);
    /** Ids of jobs checked by one statement: the server computes each one's zone. */
    private static final int SPAN = 1_000;

    private final ZonedCursors cursors;
    private final Jobs jobs;
    private final String own;
    /** Highest id of a job to check; null: not begun. */
    private @Nullable Long last;

    /** Note about nodes with older rules, as of the beginning of the check. */
    private @Nullable String noted;

    private long after;
    private int moved;

    /** @param own the version of this node's rules, see {@link dev.rowlock.schedule.TimeZoneData#version} */
    public ZoneRules(ZonedCursors cursors, Jobs jobs, String own) {
        this.cursors = cursors;
        this.jobs = jobs;
        this.own = own;
    }

    /**
     * Checks some jobs, unless they were checked by rules as new as those of this node, and no node with older ones has
     * made cursors since. Starts over after a crash. For one thread.
     *
     * @return whether there is more to do
     */
    public boolean bringUpToDate() {
        ZoneRulesState state =
                cursors.state(own); // asked each time: another node may have finished while this one could not
        if (isUpToDate(state)) {
            last = null;
            return false;
        }
        if (last == null) {
            last = cursors.lastJob();
            noted = state.noted();
            after = 0;
            moved = 0;
        }
        if (after < last) {
            moved += moveCursors(after);
            after += SPAN;
            return true;
        }
        finish(state);
        last = null;
        if (moved > 0) {
            log.info("time zone rules {}: the next fire times of {} jobs were moved", own, moved);
        }
        return false;
    }

    private void finish(ZoneRulesState state) {
        if (state.olderThere()) {
            cursors.noteOlder(); // first: should this node end here, somebody knows
        } else if (noted != null) {
            cursors.forgetOlder(noted);
        }
        cursors.record(own);
    }

    /**
     * Returns whether nodes with older rules have made cursors, and none of them is alive any more. Call periodically:
     * it notes that such a node is alive.
     */
    public boolean isToBeRepeated() {
        ZoneRulesState state = cursors.state(own);
        boolean newest = state.recorded() != null && state.recorded().compareTo(own) <= 0;
        if (newest && state.olderThere()) {
            cursors.noteOlder();
        }
        return newest && !state.olderThere() && state.noted() != null;
    }

    private boolean isUpToDate(ZoneRulesState state) {
        String recorded = state.recorded();
        if (recorded == null || recorded.compareTo(own) < 0) {
            return false;
        }
        if (recorded.compareTo(own) > 0) {
            cursors.noteOlder();
            log.warn(
                    "this node's time zone rules ({}) are older than those of another node ({}): in zones that"
                            + " changed since it may place fire times wrongly, until it is gone; update its Java",
                    own,
                    recorded);
            return true;
        }
        return state.noted() == null || state.olderThere();
    }

    private int moveCursors(long beyond) {
        int count = 0;
        for (ZonedCursor cursor : cursors.between(beyond, beyond + SPAN)) {
            if (isMisplaced(cursor) && jobs.moveCursor(cursor.key())) {
                count++;
            }
        }
        return count;
    }

    /**
     * Returns whether the cursor has to move. An overdue one was valid when it was made, and fires; the next one
     * follows the newer rules.
     */
    private static boolean isMisplaced(ZonedCursor cursor) {
        if (!cursor.fireTime().isAfter(cursor.now())) {
            return false;
        }
        StoredDefinition stored = StoredDefinition.read(cursor.key(), cursor.json(), false);
        if (!stored.isUnderstood()) {
            log.warn(
                    "the definition of job {} is not understood, so its cursor stays: {}",
                    cursor.key(),
                    stored.problem());
            return false;
        }
        JobSchedule schedule = JobSchedule.of(stored.definition(), cursor.createdAt());
        Instant made = cursor.made();
        Instant from = made != null && made.isAfter(cursor.now()) ? made : cursor.now();
        return !schedule.nextAfter(from).equals(Optional.of(cursor.fireTime()))
                || (from.equals(made) && !schedule.matches(from));
    }

    /** @see Jobs#moveCursor */
    static String reason(StoredJob job) {
        JobSchedule schedule = JobSchedule.of(job.definition(), job.createdAt());
        String zones = schedule.lines().stream()
                .filter(Schedule::isZoned)
                .map(line -> line.zone().getId())
                .distinct()
                .collect(Collectors.joining(", "));
        return "the rules of its time zone (" + zones + ") changed before it was run";
    }
}
