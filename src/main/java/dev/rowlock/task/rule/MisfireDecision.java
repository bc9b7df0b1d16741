package dev.rowlock.task.rule;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Misfire;
import dev.rowlock.definition.Outcome;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.FreezeEffect;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
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
 */
public record MisfireDecision(
        List<Task> rows,
        List<Missed> missed,
        List<CatchUpRun> runs,
        List<Insert> inserts,
        @Nullable Instant cursor,
        MisfireRules rules) {

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
     * @param freeze for people, the freeze that kept them from running, so that they are no misfires; null: none did
     */
    public record MisfireRules(
            Misfire misfire,
            int catchUpLimit,
            @Nullable Duration startDeadline,
            Terms terms,
            @Nullable String freeze) {

        private static final int CATCH_UP_LIMIT = 100;

        public MisfireRules(Misfire misfire, int catchUpLimit, @Nullable Duration startDeadline, Terms terms) {
            this(misfire, catchUpLimit, startDeadline, terms, null);
        }

        /** Returns the rules for what a freeze held, of which the latest runs, or skipped. */
        static MisfireRules frozen(JobDefinition job, boolean held, String freeze) {
            return new MisfireRules(
                    held ? Misfire.RUN_ONCE : Misfire.SKIP, 0, job.startDeadline(), Terms.of(job), freeze);
        }

        public static MisfireRules of(JobDefinition job) {
            Integer limit = job.catchUpLimit();
            return new MisfireRules(
                    job.misfire(), limit == null ? CATCH_UP_LIMIT : limit, job.startDeadline(), Terms.of(job));
        }

        int most() {
            return switch (misfire) {
                case RUN_ONCE -> 1;
                case SKIP -> 0;
                case RUN_ALL -> catchUpLimit;
            };
        }

        Outcome outcome(boolean tooLate) {
            return freeze == null || tooLate ? Outcome.MISSED : Outcome.SKIPPED;
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
            if (freeze != null) {
                return tooLate && startDeadline != null
                        ? "its startDeadline of " + Durations.format(startDeadline) + " was over: " + freeze
                        : misfire == Misfire.SKIP ? freeze : "a later occurrence waited in its place: " + freeze;
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

    /** Returns the earliest row, which identifies the job. */
    public Task first() {
        return rows.get(0);
    }

    /** Returns the occurrence at which the cursor stood; empty: it is not due. */
    public Optional<Task> atCursor() {
        return Optional.of(rows.get(rows.size() - 1)).filter(Task::cursor);
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

    /**
     * Decides on what came due of a job while freezes covered it: under one that skips, all of it is skipped; else the
     * latest occurrence runs, and those before it are skipped. Where both take turns, only the first stretch is
     * decided; what is behind it comes next.
     *
     * @param rows as above
     * @param freezes those that were in force since the first of them was due
     */
    public static MisfireDecision frozen(
            List<Task> rows, JobDefinition job, List<Freeze> freezes, Schedule schedule, Instant now) {
        Instant first = rows.get(0).scheduled();
        List<Freeze> covering = freezes.stream()
                .filter(freeze -> freeze.covers(job.key(), job.labels()))
                .sorted(Comparator.comparing(Freeze::until).reversed())
                .toList();
        Optional<Freeze> skips = covering.stream()
                .filter(freeze -> freeze.then() == FreezeEffect.SKIP && freeze.isInForce(first))
                .findFirst();
        Instant end = skips.map(Freeze::until)
                .or(() -> covering.stream()
                        .filter(freeze -> freeze.then() == FreezeEffect.SKIP)
                        .map(Freeze::from)
                        .filter(first::isBefore)
                        .min(Comparator.naturalOrder()))
                .map(until -> until.minusMillis(1))
                .filter(now::isAfter)
                .orElse(now);
        String said = skips.or(() -> covering.stream().findFirst())
                .map(Freeze::said)
                .orElse("a freeze that does not cover the job any more");
        List<Task> stretch =
                rows.stream().filter(row -> !row.scheduled().isAfter(end)).toList();
        return new CatchUp(stretch, MisfireRules.frozen(job, skips.isEmpty(), said), schedule, end, now).decision();
    }
}
