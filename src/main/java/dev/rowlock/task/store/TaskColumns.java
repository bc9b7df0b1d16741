package dev.rowlock.task.store;

import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a {@link Task}, the same for rows of {@code task} and of {@code job_next}. They are read by position and
 * without dates: hundreds of rows are read while others wait for the lock.
 */
public final class TaskColumns {

    private static final String TASK = """
            t.id, t.job_id, %s as version, t.stripe, t.launch_id, %s as fire_ms, %s as next_ms, t.origin, t.attempt,
                   t.cause, t.state, (t.state = 'EXECUTING' or t.started_at is not null) as started, %s as due_ms,
                   t.hold, t.queued_at is not null as queued, t.session_id, t.jitter_ms, t.priority, t.selector,
                   t.needs, t.replaced_by is not null as replaced, false as is_cursor""";

    private static final String CURSOR = """
            t.task_id as id, t.job_id, t.job_version as version, t.stripe, null as launch_id, %s as fire_ms,
                   null as next_ms, '' as origin, 1 as attempt, 'SCHEDULE' as cause, 'IDLE' as state, false as started,
                   %s as due_ms, t.hold, false as queued, null as session_id, t.jitter_ms, t.priority, t.selector,
                   t.needs, false as replaced, true as is_cursor""";

    /** Columns of {@code task t}, with the version of its job that it has. */
    public static final String OF_TASK = ofTask("t.job_version");

    /** Columns of the occurrence at which a cursor {@code job_next t} stands. */
    public static final String OF_CURSOR = CURSOR.formatted(millis("t.fire_time"), millis("t.due_at"));

    /** Number of the first column behind them. */
    public static final int NEXT = 23;

    private TaskColumns() {}

    /** Returns the columns of {@code task t}, with the version of its job that this expression names. */
    public static String ofTask(String version) {
        return TASK.formatted(version, millis("t.fire_time"), millis("t.next_fire_time"), millis("t.due_at"));
    }

    /** Returns a time as milliseconds since 1970. */
    static String millis(String time) {
        return "timestampdiff(microsecond, '1970-01-01', " + time + ") div 1000";
    }

    /** Reads the columns of this class, by their positions: names would cost a look-up for each. */
    public static Task read(ResultSet row) throws SQLException {
        @Nullable String launch = row.getString(5);
        @Nullable String hold = row.getString(14);
        TaskRef ref = new TaskRef(
                row.getLong(1),
                row.getLong(2),
                row.getInt(3),
                row.getInt(4),
                launch == null ? null : new LaunchId(launch));
        return new Task(
                ref,
                Instant.ofEpochMilli(row.getLong(6)),
                instant(row, 7),
                Origin.of(row.getString(8)),
                row.getInt(9),
                Cause.read(row.getString(10)),
                TaskState.valueOf(row.getString(11)),
                row.getBoolean(12),
                instant(row, 13),
                hold == null ? null : Hold.find(hold).orElse(null),
                row.getBoolean(15),
                row.getString(16),
                Duration.ofMillis(row.getLong(17)),
                row.getInt(18),
                row.getInt(19),
                row.getInt(20),
                row.getBoolean(21),
                row.getBoolean(22));
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }
}
