package dev.rowlock.report.count;

import dev.rowlock.definition.Outcome;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a job on one day (UTC), or over several.
 *
 * @param day null: it is the sum of several
 * @param runs tasks that were started and ended then
 * @param outcomes tasks by outcome, and fire times that were skipped or missed
 */
public record DayStats(
        @Nullable LocalDate day,
        long runs,
        Map<Outcome, Long> outcomes,
        Histogram durations,
        @Nullable Long longest,
        Histogram latenesses,
        @Nullable Long latest) {

    public long of(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }
}
