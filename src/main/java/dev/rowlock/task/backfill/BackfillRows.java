package dev.rowlock.task.backfill;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeChoice;
import dev.rowlock.task.backfill.BackfillRequest.FireTimeOrder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Rows of {@code backfill}. */
final class BackfillRows {

    static final String COLUMNS = """
            b.id, b.job_id, b.namespace, b.job, b.from_at, b.until_at, b.only_which, b.run_order, b.parallel,
                   b.priority, b.fire_times, b.asked_by, b.created_at, b.cancelled_at, b.cancelled_by, b.ended_at
            """;

    private BackfillRows() {}

    static Backfill read(ResultSet row) throws SQLException {
        return new Backfill(
                row.getLong("id"),
                row.getLong("job_id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                SqlTime.read(row, "from_at"),
                SqlTime.read(row, "until_at"),
                FireTimeChoice.read(row.getString("only_which")),
                FireTimeOrder.read(row.getString("run_order")),
                row.getInt("parallel"),
                row.getInt("priority"),
                row.getInt("fire_times"),
                row.getString("asked_by"),
                SqlTime.read(row, "created_at"),
                SqlTime.readOrNull(row, "cancelled_at"),
                row.getString("cancelled_by"),
                SqlTime.readOrNull(row, "ended_at"));
    }

    /** Fire time that waits, and the id that its task will have. */
    record WaitingTime(long task, Instant fireTime) {

        static WaitingTime read(ResultSet row) throws SQLException {
            return new WaitingTime(row.getLong("task_id"), SqlTime.read(row, "fire_time"));
        }
    }
}
