package dev.rowlock.report.count;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.history.OriginSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Row of history, as far as it is counted.
 *
 * @param backfill whether it belongs to a backfill, which says nothing of how its job fares
 */
record CountedRow(
        EndedRun run,
        long job,
        @Nullable String reason,
        @Nullable Instant startedAt,
        @Nullable Long durationMillis,
        @Nullable Long latenessMillis,
        long occurrences,
        boolean withdrawn,
        boolean backfill) {

    /** Columns of {@code task_history h}. */
    static final String COLUMNS = "h.id, h.job_id, h.outcome, h.reason, h.started_at, h.ended_at, h.duration_ms,"
            + " h.lateness_ms, h.occurrences, h.withdrawn, " + OriginSql.isBackfill("h") + " as backfill";

    /** Ended run, ordered by end, and within a millisecond by id. */
    record EndedRun(Instant endedAt, long id, Outcome outcome) {

        boolean isAfter(@Nullable Instant at, @Nullable Long task) {
            return at == null || task == null || endedAt.isAfter(at) || (endedAt.equals(at) && id > task);
        }

        boolean succeeded() {
            return outcome == Outcome.SUCCEEDED;
        }
    }

    static CountedRow read(ResultSet row) throws SQLException {
        return new CountedRow(
                new EndedRun(SqlTime.read(row, "ended_at"), row.getLong("id"), Outcome.read(row.getString("outcome"))),
                row.getLong("job_id"),
                row.getString("reason"),
                SqlTime.readOrNull(row, "started_at"),
                (Long) row.getObject("duration_ms"),
                (Long) row.getObject("lateness_ms"),
                row.getLong("occurrences"),
                row.getBoolean("withdrawn"),
                row.getBoolean("backfill"));
    }

    Outcome outcome() {
        return run.outcome();
    }

    Instant endedAt() {
        return run.endedAt();
    }

    /** Returns whether a command ran and declined, and not in a backfill. */
    boolean declined() {
        return startedAt != null && run.outcome() == Outcome.SKIPPED && !backfill;
    }

    /** Returns whether a command ran, as far as anybody knows, and not in a backfill. */
    boolean ran() {
        return startedAt != null && run.outcome().isOfRun() && !backfill;
    }
}
