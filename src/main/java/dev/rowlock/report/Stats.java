package dev.rowlock.report;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Refused;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.report.count.DayStats;
import dev.rowlock.report.count.Histogram;
import dev.rowlock.report.count.JobStats;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.report.count.StatsQueries.JobFigures;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statistics of a job by day. Thread-safe. */
public final class Stats {

    private final JobStore store;
    private final StatsQueries queries;

    public Stats(JobStore store, StatsQueries queries) {
        this.store = store;
        this.queries = queries;
    }

    /**
     * @param now empty: it has not run yet
     * @param days without those in which nothing ended, oldest first
     */
    public record StatsReport(
            JobKey job, Instant countedThrough, Optional<JobStats> now, DayStats total, List<DayStats> days) {}

    /** @throws Refused there is no such job */
    public StatsReport of(JobKey key, int days) {
        StoredJob job = store.find(key).orElseThrow(() -> Refused.noSuchJob(key));
        JobFigures counted = queries.of(job.id(), days);
        return new StatsReport(key, counted.countedThrough(), counted.now(), total(counted.days()), counted.days());
    }

    private static DayStats total(List<DayStats> days) {
        Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        Histogram durations = new Histogram();
        Histogram latenesses = new Histogram();
        Long longest = null;
        Long latest = null;
        for (DayStats day : days) {
            day.outcomes().forEach((outcome, count) -> outcomes.merge(outcome, count, Long::sum));
            durations.add(day.durations());
            latenesses.add(day.latenesses());
            longest = greater(longest, day.longest());
            latest = greater(latest, day.latest());
        }
        long runs = days.stream().mapToLong(DayStats::runs).sum();
        return new DayStats(null, runs, outcomes, durations, longest, latenesses, latest);
    }

    private static @Nullable Long greater(@Nullable Long one, @Nullable Long other) {
        return one == null || (other != null && other > one) ? other : one;
    }
}
