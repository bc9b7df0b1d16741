package dev.rowlock.report.count;

import static dev.rowlock.db.JsonRows.row;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Row of {@code job_day} while rows of history are counted into it. Mutable, for one thread. */
final class DayTally {

    static final String READ = """
            select d.job_id, d.day, d.runs, d.succeeded, d.failed, d.timed_out, d.killed, d.lost, d.skipped, d.missed,
                   d.max_duration_ms, d.max_lateness_ms, d.durations, d.latenesses
              from json_table(:days, '$[*]' columns (
                     job_id bigint path '$[0]', day date path '$[1]')) v
              straight_join job_day d on d.job_id = v.job_id and d.day = v.day
            """;

    static final String INSERT = """
            insert into job_day (job_id, day, runs, succeeded, failed, timed_out, killed, lost, skipped, missed,
                   max_duration_ms, max_lateness_ms, durations, latenesses)
            values\s""";

    static final String OR_CHANGE = """

            on duplicate key update runs = values(runs), succeeded = values(succeeded), failed = values(failed),
                   timed_out = values(timed_out), killed = values(killed), lost = values(lost),
                   skipped = values(skipped), missed = values(missed), max_duration_ms = values(max_duration_ms),
                   max_lateness_ms = values(max_lateness_ms), durations = values(durations),
                   latenesses = values(latenesses)
            """;

    /** Day of a job. */
    record JobDay(long job, LocalDate day) {

        static JobDay of(CountedRow row) {
            return new JobDay(row.job(), LocalDate.ofInstant(row.endedAt(), ZoneOffset.UTC));
        }

        List<@Nullable Object> columns() {
            return row(job, day.toString());
        }
    }

    private final JobDay key;
    private final Outcomes outcomes;
    private long runs;
    private @Nullable Long maxDuration;
    private @Nullable Long maxLateness;
    private final Histogram durations;
    private final Histogram latenesses;

    DayTally(JobDay key) {
        this(key, new Outcomes(), new Histogram(), new Histogram());
    }

    private DayTally(JobDay key, Outcomes outcomes, Histogram durations, Histogram latenesses) {
        this.key = key;
        this.outcomes = outcomes;
        this.durations = durations;
        this.latenesses = latenesses;
    }

    static DayTally read(ResultSet row) throws SQLException {
        DayTally tally = new DayTally(
                new JobDay(row.getLong("job_id"), LocalDate.parse(row.getString("day"))),
                Outcomes.read(row),
                Histogram.parse(row.getString("durations")),
                Histogram.parse(row.getString("latenesses")));
        tally.runs = row.getLong("runs");
        tally.maxDuration = (Long) row.getObject("max_duration_ms");
        tally.maxLateness = (Long) row.getObject("max_lateness_ms");
        return tally;
    }

    JobDay key() {
        return key;
    }

    void add(CountedRow row) {
        outcomes.add(row);
        if (!row.ran()) {
            return;
        }
        runs++;
        if (row.durationMillis() != null) {
            durations.add(row.durationMillis());
            maxDuration = greater(maxDuration, row.durationMillis());
        }
        if (row.latenessMillis() != null) {
            latenesses.add(row.latenessMillis());
            maxLateness = greater(maxLateness, Math.max(0, row.latenessMillis()));
        }
    }

    private static long greater(@Nullable Long one, long other) {
        return one == null ? other : Math.max(one, other);
    }

    List<@Nullable Object> values() {
        List<@Nullable Object> values = new ArrayList<>(row(key.job(), key.day().toString(), runs));
        values.addAll(outcomes.byDay());
        values.addAll(row(maxDuration, maxLateness, durations.text(), latenesses.text()));
        return values;
    }
}
