package dev.rowlock.policy;

import dev.rowlock.job.Cause;
import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job's overdue occurrences once one of them is a misfire. One of {@code run} and {@code successor}
 * runs.
 *
 * @param rows the overdue occurrences that have a row, earliest first
 * @param missed what goes into history: every row but {@code run}, and the fire times that never had one
 * @param run the row that runs now; null: the successor does
 * @param successor the fire time of a new row, which runs now and has the cursor; null: the cursor stays
 */
public record MisfireDecision(
        List<Overdue> rows,
        List<Missed> missed,
        @Nullable Overdue run,
        @Nullable Instant successor) {

    /**
     * An occurrence that is due and idle, or prepared and too late to be fired.
     *
     * @param version of its job
     * @param selector which nodes may run it
     * @param nextFireTime that of the row that was made with it; null: there is none yet
     * @param cursor whether the job's next occurrence will be made from it
     * @param launch under which it is prepared; null: it is idle
     */
    public record Overdue(
            long id,
            long jobId,
            int version,
            int shard,
            int selector,
            Instant fireTime,
            @Nullable Instant nextFireTime,
            boolean cursor,
            @Nullable String launch) {}

    /**
     * One row of history, for consecutive fire times.
     *
     * @param row the first of them
     * @param last the last of them
     * @param nextFireTime the fire time after it that has a row
     */
    public record Missed(
            Overdue row,
            long occurrences,
            Instant last,
            @Nullable Instant nextFireTime,
            String reason) {}

    /** The earliest row, by which one knows the job. */
    public Overdue first() {
        return rows.get(0);
    }

    /** Whether a task comes too late to be started as it stands. Only what the schedule asked for ever does. */
    public static boolean isMisfire(Cause cause, Duration late, Duration threshold) {
        return cause == Cause.SCHEDULE && late.compareTo(threshold) > 0;
    }

    /** {@code RUN_ONCE}: the latest fire time runs for all, whether it has a row or not; the others are missed. */
    public static MisfireDecision runOnce(List<Overdue> rows, Schedule schedule, Instant now) {
        Overdue last = rows.get(rows.size() - 1);
        long unmade = last.cursor ? schedule.countBetween(last.fireTime, now) : 0;
        if (unmade == 0) {
            List<Overdue> others = rows.subList(0, rows.size() - 1);
            return new MisfireDecision(rows, missed(others, last.fireTime, 0, last.fireTime), last, null);
        }
        Instant latest = schedule.lastBetween(last.fireTime, now).orElseThrow();
        Instant lastMissed =
                schedule.lastBetween(last.fireTime, latest.minusMillis(1)).orElse(last.fireTime);
        return new MisfireDecision(rows, missed(rows, lastMissed, unmade - 1, latest), null, latest);
    }

    /**
     * @param lastMissed the last fire time that the cursor's row stands for
     * @param unmade how many of them have no row
     * @param runs the fire time that runs
     */
    private static List<Missed> missed(List<Overdue> rows, Instant lastMissed, long unmade, Instant runs) {
        String reason = reason(rows.size() + unmade);
        List<Missed> missed = new ArrayList<>();
        for (List<Overdue> together : Consecutive.of(rows, (a, b) -> b.fireTime.equals(a.nextFireTime))) {
            Overdue end = together.get(together.size() - 1);
            long more = end.cursor ? unmade : 0;
            missed.add(new Missed(
                    together.get(0),
                    together.size() + more,
                    more == 0 ? end.fireTime : lastMissed,
                    end.nextFireTime == null ? runs : end.nextFireTime,
                    reason));
        }
        return missed;
    }

    private static String reason(long missed) {
        return (missed == 1
                        ? "no node was there to run it in time"
                        : "no node was there to run these occurrences in time")
                + "; the latest occurrence runs instead, unless the job is executing then (misfire RUN_ONCE)";
    }
}
