package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Misfire;
import dev.rowlock.definition.Outcome;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decision on a job's overdue occurrences once one of them is a misfire. The latest of them run, as many as the job's
 * policy allows; all others are missed.
 *
 * @param rows the overdue occurrences that have a row, earliest first
 * @param missed rows for history
 * @param runs those of the rows that run now, each with the next fire time in the chain
 * @param inserts new rows that run now, in their order
 * @param cursor where the cursor goes, if the last of the rows is where it stood; null: the schedule has no further
 *     fire time
 * @param rules of their job
 * @param staysHeld whether the cursor goes on to what came due under a freeze, too, and is decided next
 */
public record MisfireDecision(
        List<Task> rows,
        List<Missed> missed,
        List<CatchUpRun> runs,
        List<Insert> inserts,
        @Nullable Instant cursor,
        MisfireRules rules,
        boolean staysHeld) {

    /**
     * Row of history, for consecutive fire times.
     *
     * @param row the first of them
     * @param last the last of them
     * @param nextFireTime the fire time after it that has a row
     */
    public record Missed(
            Task row,
            long occurrences,
            Instant last,
            @Nullable Instant nextFireTime,
            Outcome outcome,
            String reason) {}

    /**
     * Row that runs.
     *
     * @param next the next fire time in the chain; null: that of the row
     */
    public record CatchUpRun(Task row, @Nullable Instant next) {}

    /**
     * New row.
     *
     * @param next the next fire time in the chain; null: there is none
     */
    public record Insert(Instant fireTime, @Nullable Instant next) {}

    /**
     * Rules of a job for its misfires.
     *
     * @param catchUpLimit the most that run with {@code RUN_ALL}
     * @param startDeadline how long after its fire time an occurrence may start; null: for ever
     * @param terms what its occurrences inherit from it
     * @param frozen the freeze that kept them from running, so that they are no misfires; null: none did
     */
    public record MisfireRules(
            Misfire misfire,
            int catchUpLimit,
            @Nullable Duration startDeadline,
            Terms terms,
            @Nullable FreezeReasons frozen) {

        private static final int CATCH_UP_LIMIT = 100;

        public MisfireRules(Misfire misfire, int catchUpLimit, @Nullable Duration startDeadline, Terms terms) {
            this(misfire, catchUpLimit, startDeadline, terms, null);
        }

        /** Returns the rules for what came due under a freeze, of which the latest so many run, if that is not null. */
        static MisfireRules frozen(JobDefinition job, @Nullable Integer most, FreezeReasons reasons) {
            Misfire misfire = most == null ? Misfire.SKIP : most == 1 ? Misfire.RUN_ONCE : Misfire.RUN_ALL;
            return new MisfireRules(misfire, most == null ? 0 : most, job.startDeadline(), Terms.of(job), reasons);
        }

        public static MisfireRules of(JobDefinition job) {
            Integer limit = job.catchUpLimit();
            return new MisfireRules(
                    job.misfire(), limit == null ? CATCH_UP_LIMIT : limit, job.startDeadline(), Terms.of(job));
        }

        /** Returns the freeze that kept them from running, for people; null: none did. */
        public @Nullable String freeze() {
            return frozen == null ? null : frozen.freeze;
        }

        int most() {
            return switch (misfire) {
                case RUN_ONCE -> 1;
                case SKIP -> 0;
                case RUN_ALL -> catchUpLimit;
            };
        }

        Outcome outcome(boolean tooLate) {
            return frozen == null || tooLate ? Outcome.MISSED : Outcome.SKIPPED;
        }

        /** Returns the earliest fire time that can still start. */
        Instant earliest(Instant now) {
            return startDeadline == null ? Instant.MIN : now.minus(startDeadline);
        }

        /**
         * Returns the reason of missed ones, for people.
         *
         * @param tooLate whether it is the deadline that keeps them from running
         */
        String reason(long missed, boolean tooLate) {
            if (frozen != null) {
                return tooLate && startDeadline != null
                        ? "its startDeadline of " + Durations.format(startDeadline) + " was over: " + frozen.freeze
                        : frozen.skipped;
            }
            String what = missed == 1
                    ? "no node was there to run it in time"
                    : "no node was there to run these occurrences in time";
            if (tooLate && startDeadline != null) {
                return what + ", and none may start later than " + Durations.format(startDeadline)
                        + " after its fire time (startDeadline)";
            }
            return what
                    + switch (misfire) {
                        case RUN_ONCE ->
                            "; the latest occurrence runs instead, unless the job is executing then"
                                    + " (misfire RUN_ONCE)";
                        case SKIP -> " (misfire SKIP)";
                        case RUN_ALL -> "; only the latest " + catchUpLimit + " run (misfire RUN_ALL, catchUpLimit)";
                    };
        }
    }

    /**
     * Reasons of what a freeze kept from running, for people.
     *
     * @param freeze what is said of the freeze itself
     * @param skipped why those are skipped that do not run
     */
    record FreezeReasons(String freeze, String skipped) {}

    /** Returns the earliest row, which identifies the job. */
    public Task first() {
        return rows.get(0);
    }

    /** Returns the occurrence at which the cursor stood; empty: it is not due. */
    public Optional<Task> atCursor() {
        return Optional.of(rows.get(rows.size() - 1)).filter(Task::cursor);
    }

    MisfireDecision stayingHeld() {
        return new MisfireDecision(rows, missed, runs, inserts, cursor, rules, true);
    }

    /** Returns the rows that do not run. */
    public List<Task> gone() {
        return rows.subList(0, rows.size() - runs.size());
    }

    /** Returns the number of rows to write. */
    public int weight() {
        return rows.size() + inserts.size();
    }

    /**
     * Returns whether a task comes too late to be started as it stands. Only a scheduled one ever does, and not one
     * that waited by policy.
     *
     * @param late how long its time has come
     */
    public static boolean isMisfire(Cause cause, Duration late, Duration threshold) {
        return cause == Cause.SCHEDULE && late.compareTo(threshold) > 0;
    }

    /**
     * Decides on overdue occurrences.
     *
     * @param rows all that are overdue, earliest first; fire times after the cursor's may be overdue without a row
     */
    public static MisfireDecision of(List<Task> rows, MisfireRules rules, Schedule schedule, Instant now) {
        return new CatchUp(rows, rules, schedule, now, now).decision();
    }
}
