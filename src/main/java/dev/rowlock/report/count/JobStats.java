package dev.rowlock.report.count;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Present statistics of a job, by the runs that are counted.
 *
 * @param lastTask the run that ended last
 * @param streak how many runs in a row succeeded, or did not
 * @param streakSince when the first of them ended
 * @param p50 of the durations of its last weeks, in milliseconds; null: none is known
 */
public record JobStats(
        JobKey job,
        long lastTask,
        Outcome lastOutcome,
        @Nullable String lastReason,
        Instant lastEnded,
        boolean succeeded,
        long streak,
        Instant streakSince,
        @Nullable Long p50,
        @Nullable Long p95) {}
