package dev.rowlock.report.count;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Queries of one job's statistics, now and by day. */
public final class StatsQueries {

    public static final String STATS = """
            select j.namespace, j.name, s.last_task, s.last_outcome, s.last_reason, s.last_ended, s.result, s.streak,
                   s.streak_since, s.p50_ms, s.p95_ms
            """;
    private static final String OF_JOB =
            STATS + " from job j join job_stats s on s.job_id = j.id where j.id = :job and s.last_task is not null";
    private static final String DAYS = """
            select d.job_id, d.day, d.runs, d.succeeded, d.failed, d.timed_out, d.killed, d.lost, d.skipped, d.missed,
                   d.max_duration_ms, d.max_lateness_ms, d.durations, d.latenesses
              from job_day d where d.job_id = :job and d.day >= :from order by d.day
            """;

    private final Database database;

    public StatsQueries(Database database) {
        this.database = database;
    }

    /**
     * Statistics of a job.
     *
     * @param now empty: it has not run yet
     * @param countedThrough all that ended before is counted
     */
    public record JobFigures(
            Instant databaseTime, Instant countedThrough, Optional<JobStats> now, List<DayStats> days) {}

    /** Returns the days from {@code days} − 1 days ago on, without those in which nothing ended. */
    public JobFigures of(long job, int days) {
        return database.autoCommit("reading how a job fares", handle -> {
            Instant now = SqlTime.now(handle);
            String from = SqlTime.text(now).substring(0, 10);
            return new JobFigures(
                    now,
                    Counting.countedThrough(handle, now),
                    query(handle, OF_JOB, "job", job)
                            .map((row, context) -> stats(row))
                            .findOne(),
                    query(
                                    handle,
                                    DAYS,
                                    "job",
                                    job,
                                    "from",
                                    LocalDate.parse(from).minusDays(days - 1L).toString())
                            .map((row, context) -> day(row))
                            .list());
        });
    }

    public static JobStats stats(ResultSet row) throws SQLException {
        return new JobStats(
                new JobKey(row.getString("namespace"), row.getString("name")),
                row.getLong("last_task"),
                Outcome.read(row.getString("last_outcome")),
                row.getString("last_reason"),
                SqlTime.read(row, "last_ended"),
                Outcome.SUCCEEDED.name().equals(row.getString("result")),
                row.getLong("streak"),
                SqlTime.read(row, "streak_since"),
                (Long) row.getObject("p50_ms"),
                (Long) row.getObject("p95_ms"));
    }

    private static DayStats day(ResultSet row) throws SQLException {
        Outcomes outcomes = Outcomes.read(row);
        Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
        Outcomes.BY_DAY.forEach(outcome -> counts.put(outcome, outcomes.of(outcome)));
        return new DayStats(
                LocalDate.parse(row.getString("day")),
                row.getLong("runs"),
                counts,
                Histogram.parse(row.getString("durations")),
                (Long) row.getObject("max_duration_ms"),
                Histogram.parse(row.getString("latenesses")),
                (Long) row.getObject("max_lateness_ms"));
    }
}
