package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertEvent;
import dev.rowlock.alert.AlertEvent.JobPlace;
import dev.rowlock.alert.JobRun;
import dev.rowlock.alert.RunDecision;
import dev.rowlock.alert.store.RunFeed.RunPosition;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.Origin;
import dev.rowlock.task.history.OriginSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Events of jobs as time passes, without anything being recorded. */
final class TimeFacts {

    private static final String LABELS = "json_extract(v.definition, '$.labels') as labels";

    /** Query of occurrences that were not started: neither held as somebody asked nor late by nature. */
    private static final String NOT_STARTED =
            """
            (select t.id, t.job_id, t.origin, t.fire_time, t.hold_reason, v.namespace, v.name, %1$s
              from task t force index (primary)
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
             where t.fire_time >= :at and t.fire_time <= :until and (t.fire_time > :at or t.id > :id)
               and t.state <> 'EXECUTING' and t.attempt = 1 and coalesce(t.hold, '') not in %2$s
               and not %3$s
             order by t.fire_time, t.id limit :most)
             union all
            (select t.task_id, t.job_id, '', t.fire_time, t.hold_reason, v.namespace, v.name, %1$s
              from job_next t force index (by_fire_time)
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
             where t.fire_time >= :at and t.fire_time <= :until and (t.fire_time > :at or t.task_id > :id)
               and coalesce(t.hold, '') not in %2$s
             order by t.fire_time, t.task_id limit :most)
             order by fire_time, id limit :most
            """.formatted(LABELS, Hold.listOf(Trait.ASKED_FOR), OriginSql.isOfThePast("t"));

    private static final String RUNNING = """
            select t.id, t.job_id, t.origin, t.fire_time, t.started_at, s.node, v.namespace, v.name, %s,
                   if(j.samples >= :samples, j.p95_ms, null) as p95_ms,
                   timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms
              from task t force index (due)
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
              left join job_stats j on j.job_id = t.job_id
              left join session s on s.id = t.session_id
             where t.idle = 0 and t.due_at <= utc_timestamp(6) and t.state = 'EXECUTING' and t.started_at <= :before
            """.formatted(LABELS);

    /** Query of each job once, when it reaches the age, with what is known by then. */
    private static final String OF_AGE = """
            select j.id as job_id, j.namespace, j.name, j.created_at, %s,
                   not exists (select 1 from job_day d where d.job_id = j.id and d.succeeded > 0)
                   and (exists (select 1 from job_day d where d.job_id = j.id)
                        or exists (select 1 from task t force index (one_attempt)
                                    where t.job_id = j.id and t.fire_time <= utc_timestamp(3)
                                      and t.state = 'EXECUTING'))
                   and not exists (select 1 from task_history h force index (by_job)
                                    where h.namespace = j.namespace and h.job = j.name and h.job_id = j.id
                                      and h.outcome = 'SUCCEEDED' and not %s) as never_succeeded
              from job_version f force index (by_start)
              straight_join job j on j.id = f.job_id and j.created_at = f.valid_from
              straight_join job_version v on v.job_id = j.id and v.version = j.version
             where f.valid_from >= :at and f.valid_from <= :until and (f.valid_from > :at or f.job_id > :id)
             order by f.valid_from, f.job_id limit :most
            """.formatted(LABELS, OriginSql.isBackfill("h"));

    private final Handle handle;

    TimeFacts(Handle handle) {
        this.handle = handle;
    }

    Handle handle() {
        return handle;
    }

    /**
     * Event of a job, announced if a rule is about it.
     *
     * @param p95Millis of the job; null: nobody knows
     */
    record JobEvent(AlertEvent event, @Nullable Long p95Millis) {}

    /** Returns occurrences whose fire time is the deadline ago, after a position. */
    List<JobEvent> notStarted(RunPosition behind, Instant until, Duration deadline) {
        return behind(NOT_STARTED, behind, until)
                .map((row, context) -> {
                    ObjectNode detail = detail(row);
                    detail.put("limitMs", deadline.toMillis());
                    detail.put("reason", row.getString("hold_reason"));
                    Instant at = SqlTime.read(row, "fire_time").plus(deadline);
                    return new JobEvent(event(AlertCondition.NOT_STARTED_BY, row, at, null, detail), null);
                })
                .list();
    }

    private Query behind(String statement, RunPosition behind, Instant until) {
        return query(handle, statement, "at", SqlTime.text(behind.at()), "id", behind.id())
                .bind("until", SqlTime.text(until))
                .bind("most", Reached.MOST);
    }

    /** Returns tasks that have executed for at least so long; there are no more of them than slots. */
    List<JobEvent> running(Instant now, Duration shortest) {
        return query(
                        handle,
                        RUNNING,
                        "samples",
                        RunDecision.FEWEST_SAMPLES,
                        "before",
                        SqlTime.text(now.minus(shortest)))
                .map((row, context) -> {
                    ObjectNode detail = detail(row);
                    detail.put("startedAt", Times.text(SqlTime.read(row, "started_at")));
                    detail.put("runningMs", row.getLong("running_ms"));
                    Instant at = SqlTime.read(row, "started_at");
                    return new JobEvent(event(AlertCondition.TOO_LONG, row, at, row.getString("node"), detail), (Long)
                            row.getObject("p95_ms"));
                })
                .list();
    }

    /** Job that has reached an age. */
    record OfAge(JobEvent found, Instant createdAt, long job, boolean neverSucceeded) {}

    /** Returns jobs that have reached that age, after a position. */
    List<OfAge> ofAge(RunPosition behind, Instant until, Duration age) {
        return behind(OF_AGE, behind, until)
                .map((row, context) -> {
                    long job = row.getLong("job_id");
                    Instant created = SqlTime.read(row, "created_at");
                    JobPlace place = new JobPlace(job, key(row), JsonRows.texts(row, "labels"), null);
                    AlertEvent event = new AlertEvent(
                            AlertCondition.NEVER_SUCCEEDED,
                            "job:" + job,
                            "job:" + job,
                            place,
                            null,
                            created.plus(age),
                            JsonNodeFactory.instance.objectNode());
                    return new OfAge(new JobEvent(event, null), created, job, row.getBoolean("never_succeeded"));
                })
                .list();
    }

    private static ObjectNode detail(ResultSet row) throws SQLException {
        return JsonNodeFactory.instance.objectNode().put("fireTime", Times.text(SqlTime.read(row, "fire_time")));
    }

    private static AlertEvent event(
            AlertCondition condition, ResultSet row, Instant at, @Nullable String node, ObjectNode detail)
            throws SQLException {
        long job = row.getLong("job_id");
        long task = row.getLong("id");
        return new AlertEvent(
                condition,
                JobRun.subject(job, Origin.of(row.getString("origin"))),
                String.valueOf(task),
                new JobPlace(job, key(row), JsonRows.texts(row, "labels"), task),
                node,
                at,
                detail);
    }

    private static JobKey key(ResultSet row) throws SQLException {
        return new JobKey(row.getString("namespace"), row.getString("name"));
    }
}
