package dev.rowlock.task.query;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Overrides;
import dev.rowlock.task.Origin;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.store.PauseSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Columns of a task, live or ended, for people. */
final class TaskSelect {

    /** Overrides, shortened so that a list is limited in bytes, too. */
    private static final String SHORT_OVERRIDES =
            "if(char_length(t.overrides) > 2000," + " json_object('bytes', octet_length(t.overrides)), t.overrides)";

    /** Query that reads tasks first, by fire time: MySQL would rather read all versions of all jobs and sort. */
    static final String LIVE =
            """
            select t.id, v.namespace, v.name as job, t.job_version, t.fire_time, t.due_at, t.origin, t.attempt,
                   t.cause, t.state, null as outcome, %s as reason, t.hold, %s as hold_reason, s.node,
                   t.session_id, t.launch_id, t.started_at, null as ended_at,
                   timestampdiff(microsecond, %s, t.started_at) div 1000 as lateness_ms,
                   null as duration_ms, null as exit_code, null as exit_signal, 1 as occurrences,
                   t.fire_time as last_fire_time,
                   (select o.total_bytes from task_output o where o.task_id = t.id and o.launch_id = t.launch_id)
                     as output_bytes,
                   t.queued_at, t.priority, t.group_name, null as superseded_by, t.replaced_by, %s as overrides,
                   null as note
              from task t
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
              left join session s on s.id = t.session_id
            """.formatted(SlotWait.REASON, PauseSql.reason("v"), TaskHistory.LATE_FROM, SHORT_OVERRIDES);

    /** Occurrences that no node has prepared yet, by the cursors of jobs. */
    static final String CURSORS = """
            select t.task_id as id, v.namespace, v.name as job, t.job_version, t.fire_time, t.due_at, '' as origin,
                   1 as attempt, 'SCHEDULE' as cause, 'IDLE' as state, null as outcome, %s as reason, t.hold,
                   %s as hold_reason, null as node, null as session_id, null as launch_id, null as started_at,
                   null as ended_at, null as lateness_ms, null as duration_ms, null as exit_code,
                   null as exit_signal, 1 as occurrences, t.fire_time as last_fire_time, null as output_bytes,
                   null as queued_at, t.priority, t.group_name, null as superseded_by, null as replaced_by,
                   null as overrides, null as note
              from job_next t
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
            """.formatted(SlotWait.REASON_OF_CURSOR, PauseSql.reason("v"));

    private static final String TURN = """
            select t.task_id as id, b.namespace, b.job, j.version as job_version, t.fire_time, null as due_at,
                   concat('backfill:', b.id) as origin, 1 as attempt, 'BACKFILL' as cause, 'IDLE' as state,
                   null as outcome, null as reason, 'OVERLAP' as hold,
                   concat('its turn in backfill ', b.id, ' has not come') as hold_reason, null as node,
                   null as session_id, null as launch_id, null as started_at, null as ended_at, null as lateness_ms,
                   null as duration_ms, null as exit_code, null as exit_signal, 1 as occurrences,
                   t.fire_time as last_fire_time, null as output_bytes, null as queued_at, b.priority,
                   null as group_name, null as superseded_by, null as replaced_by, null as overrides, null as note
              from %s and not t.made
              straight_join job j on j.id = b.job_id
            """;

    /** Fire times of open backfills that wait for their turn, under the id that the task of each will have. */
    static final String TURNS = TURN.formatted("backfill b force index (by_end)"
            + " straight_join backfill_time t force index (by_turn) on t.backfill_id = b.id");

    /** The same, where one is looked for by that id. */
    static final String TURN_BY_ID = TURN.formatted("backfill_time t force index (by_task)"
            + " straight_join backfill b force index (primary) on b.id = t.backfill_id");

    static final String ENDED = """
            select t.id, t.namespace, t.job, t.job_version, t.fire_time, t.due_at, t.origin, t.attempt, t.cause,
                   'ENDED' as state, t.outcome, t.reason, null as hold, null as hold_reason, t.node, t.session_id,
                   t.launch_id, t.started_at, t.ended_at, t.lateness_ms, t.duration_ms,
                   t.exit_code, t.exit_signal, t.occurrences, t.last_fire_time, t.output_bytes,
                   t.queued_at, t.priority, t.group_name, t.superseded_by, t.replaced_by, %s as overrides, t.note
              from task_history t
            """.formatted(SHORT_OVERRIDES);

    private TaskSelect() {}

    /** Returns the select with the texts that lists leave out for their length. */
    static String whole(String select) {
        return select.replace(SHORT_OVERRIDES, "t.overrides");
    }

    static TaskView view(ResultSet row) throws SQLException {
        return new TaskView(
                row.getLong("id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                row.getInt("job_version"),
                SqlTime.read(row, "fire_time"),
                SqlTime.readOrNull(row, "due_at"),
                Origin.of(row.getString("origin")),
                row.getInt("attempt"),
                row.getString("cause"),
                row.getString("state"),
                row.getString("outcome"),
                row.getString("reason"),
                row.getString("hold"),
                row.getString("hold_reason"),
                row.getString("node"),
                row.getString("session_id"),
                row.getString("launch_id"),
                SqlTime.readOrNull(row, "started_at"),
                SqlTime.readOrNull(row, "ended_at"),
                number(row, "lateness_ms"),
                number(row, "duration_ms"),
                small(row, "exit_code"),
                small(row, "exit_signal"),
                row.getLong("occurrences"),
                SqlTime.read(row, "last_fire_time"),
                number(row, "output_bytes"),
                SqlTime.readOrNull(row, "queued_at"),
                row.getInt("priority"),
                row.getString("group_name"),
                number(row, "superseded_by"),
                number(row, "replaced_by"),
                Overrides.tree(row.getString("overrides")),
                row.getString("note"));
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Integer small(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
