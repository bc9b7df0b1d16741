package dev.rowlock.report.count;

import dev.rowlock.calendar.CalendarJobs.EndingCalendar;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.field.Times;
import dev.rowlock.report.count.FinishPlans.DueFinish;
import dev.rowlock.task.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of what goes on in a cluster, and what does not.
 *
 * @param countedThrough all that ended before is in {@code failing} and {@code minutes}
 * @param verification the last one of all jobs; null: there was none
 * @param unfinished occurrences that are to finish by a time and have not, the earliest deadline first
 * @param calendars of jobs whose dates were made for no longer than some weeks from now
 * @param minutes those of the last day in which something started or ended, oldest first
 */
public record ClusterHealth(
        Instant databaseTime,
        String databaseVersion,
        Instant countedThrough,
        Some<JobStats> failing,
        Some<LateTask> late,
        Some<StuckJob> stuck,
        Map<Hold, WaitingTasks> waiting,
        Some<LongTask> longRunning,
        List<DueFinish> unfinished,
        @Nullable Verification verification,
        List<EndingCalendar> calendars,
        List<Minute> minutes) {

    /** @param more whether there are more than were counted */
    public record Some<T>(List<T> items, long count, boolean more) {}

    /** Task that is due and was not started, though nothing is known to hold it. */
    public record LateTask(
            long id,
            JobKey job,
            Instant fireTime,
            Instant dueAt,
            String state,
            @Nullable String node) {}

    /**
     * Job that does not run although it should: no node may run it, or its occurrences were quarantined.
     *
     * @param since the fire time that waits for longest
     * @param missed how many fire times were missed since the day of its last run, or since it was made
     */
    public record StuckJob(JobKey job, Hold hold, @Nullable String reason, Instant since, long missed) {}

    /** @param more whether there are more than were counted */
    public record WaitingTasks(
            long tasks, boolean more, @Nullable String example) {}

    /** Task that executes for more than twice the p95 of its job. */
    public record LongTask(
            long id, JobKey job, @Nullable String node, Instant startedAt, long runningMillis, long p95) {}

    /**
     * @param since from when on fire times were checked; null: all that are kept
     * @param until null: all that were there
     * @param wrong jobs that do not add up
     */
    public record Verification(
            Instant at, @Nullable Instant since, @Nullable Instant until, long jobs, long wrong, long fireTimes) {

        /** Returns the text as it is kept. */
        public String text() {
            return Times.text(at) + " " + Objects.requireNonNullElse(Times.orNull(since), "-") + " "
                    + Objects.requireNonNullElse(Times.orNull(until), "-") + " " + jobs + " " + wrong + " " + fireTimes;
        }

        /** Parses the result of {@link #text}. */
        public static Verification parse(String text) {
            String[] parts = text.split(" ", -1);
            return new Verification(
                    Instant.parse(parts[0]),
                    instant(parts[1]),
                    instant(parts[2]),
                    Long.parseLong(parts[3]),
                    Long.parseLong(parts[4]),
                    Long.parseLong(parts[5]));
        }

        private static @Nullable Instant instant(String text) {
            return text.equals("-") ? null : Instant.parse(text);
        }
    }

    /** @param outcomes tasks by outcome, and fire times that were skipped or missed */
    public record Minute(Instant at, long fires, Map<Outcome, Long> outcomes) {}
}
