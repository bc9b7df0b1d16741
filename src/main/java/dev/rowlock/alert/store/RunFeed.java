package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.JobRun;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Feed of ended runs, each row of history once: all rows up to where {@code report.count.Counting} has counted
 * exist. Later writes are handed over when they are counted, and read by id.
 */
final class RunFeed {

    /** Query that locks the row, so that one node at a time reads on. */
    private static final String STATE = """
            select a.read_at, a.read_id, a.looked_at, a.reached, a.rules, a.pings, utc_timestamp(3) as now,
                   (select value from setting where name = 'history-counted') as counted,
                   exists (select 1 from alert_late) as late
              from alert_state a where a.id = 1 %s
            """;

    static final String COLUMNS = """
            h.id, h.job_id, h.namespace, h.job, h.fire_time, h.origin, h.attempt, h.cause, h.outcome, h.reason, h.node,
                   h.started_at, h.ended_at, h.lateness_ms, h.duration_ms, h.exit_code, %1$s as labels, %2$s as ping,
                   h.outcome <> 'SUCCEEDED'
                   and (exists (select 1 from task t force index (one_attempt)
                                 where t.job_id = h.job_id and t.fire_time = h.fire_time and t.origin = h.origin
                                   and t.attempt > h.attempt)
                        or exists (select 1 from task_history n force index (by_job)
                                    where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.fire_time
                                      and n.job_id = h.job_id and n.origin = h.origin and n.attempt > h.attempt
                                      and n.outcome <> 'CANCELLED')) as tried_again
            """;
    private static final String VERSION =
            "left join job_version v on v.job_id = h.job_id and v.version = h.job_version";
    private static final String LATE = "select " + COLUMNS + """
                   , false as late
              from alert_late l
              straight_join task_history h on h.id = l.task_id
              %3$s
             where h.ended_at < :at or h.ended_at = :at and h.id <= :id
             order by l.task_id limit :most
            """;

    private RunFeed() {}

    /**
     * Progress of alerts.
     *
     * @param readAt all that ended before is read, and up to the task {@code readId} what ended then
     * @param lookedAt when what passes with time was looked at
     * @param reached for {@link Reached}
     * @param counted up to where history is complete; null: nobody knows yet
     * @param late whether something was written late
     */
    record FeedState(
            Instant readAt,
            long readId,
            Instant lookedAt,
            @Nullable String reached,
            long rules,
            boolean pings,
            Instant now,
            @Nullable RunPosition counted,
            boolean late) {

        /** Returns whether there is something to read. */
        boolean isBehind() {
            return late || (counted != null && counted.isAfter(readAt, readId));
        }
    }

    /** Position of a history row in the order of ends, or of a task or job in that of another time. */
    record RunPosition(Instant at, long id) {

        boolean isAfter(Instant other, long otherId) {
            return at.isAfter(other) || (at.equals(other) && id > otherId);
        }

        static RunPosition parse(String text) {
            return new RunPosition(
                    LocalDateTime.parse(text.substring(0, 23).replace(' ', 'T')).toInstant(ZoneOffset.UTC),
                    Long.parseLong(text.substring(24)));
        }

        String text() {
            return SqlTime.text(at) + " " + id;
        }
    }

    /**
     * Run, with the pings that its job asks for.
     *
     * @param late whether it comes again, when it is counted
     */
    record RunRow(JobRun run, @Nullable String ping, boolean late) {

        RunPosition position() {
            return new RunPosition(run.endedAt(), run.task());
        }
    }

    /** @param locked whether nobody else may go on until the transaction ends */
    static FeedState state(Handle handle, boolean locked) {
        return query(handle, STATE.formatted(locked ? "for update" : ""))
                .map((row, context) -> new FeedState(
                        SqlTime.read(row, "read_at"),
                        row.getLong("read_id"),
                        SqlTime.read(row, "looked_at"),
                        row.getString("reached"),
                        row.getLong("rules"),
                        row.getBoolean("pings"),
                        SqlTime.read(row, "now"),
                        Optional.ofNullable(row.getString("counted"))
                                .map(RunPosition::parse)
                                .orElse(null),
                        row.getBoolean("late")))
                .one();
    }

    /** Returns late rows, as far as the others are read; they are to be deleted when they are read. */
    static List<RunRow> late(Handle handle, FeedState from, boolean labels, int most) {
        return query(
                        handle,
                        text(LATE, labels, from.pings(), ""),
                        "at",
                        SqlTime.text(from.readAt()),
                        "id",
                        from.readId())
                .bind("most", most)
                .map((row, context) -> read(row))
                .list();
    }

    static String text(String statement, boolean labels, boolean pings, String condition) {
        return statement.formatted(
                labels ? "json_extract(v.definition, '$.labels')" : "null",
                pings ? "json_extract(v.definition, '$.ping')" : "null",
                labels || pings ? VERSION : "",
                condition);
    }

    static RunRow read(ResultSet row) throws SQLException {
        Map<String, String> labels = JsonRows.texts(row, "labels");
        JobRun run = new JobRun(
                row.getLong("id"),
                row.getLong("job_id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                labels,
                SqlTime.read(row, "fire_time"),
                Origin.of(row.getString("origin")),
                row.getInt("attempt"),
                Cause.read(row.getString("cause")),
                Outcome.read(row.getString("outcome")),
                row.getString("reason"),
                row.getString("node"),
                SqlTime.readOrNull(row, "started_at"),
                SqlTime.read(row, "ended_at"),
                (Long) row.getObject("lateness_ms"),
                (Long) row.getObject("duration_ms"),
                (Integer) row.getObject("exit_code"),
                row.getBoolean("tried_again"));
        return new RunRow(run, row.getString("ping"), row.getBoolean("late"));
    }

    /** Returns the runs, in order. */
    static List<JobRun> runs(List<RunRow> rows) {
        List<JobRun> runs = new ArrayList<>();
        rows.forEach(row -> runs.add(row.run()));
        return runs;
    }
}
