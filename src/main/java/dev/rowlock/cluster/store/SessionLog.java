package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Log of past and present sessions. Ended ones are kept for the period of history. */
public final class SessionLog {

    private static final String BETWEEN = """
            (select id, node, labels, capacity, took_work, started_at, heartbeat_at, gone_at, reason,
                    true as silent
               from session_log force index (by_end)
              where gone_at >= :from and started_at <= :until order by gone_at limit :most)
            union all
            (select id, node, labels, capacity, state = 'ALIVE' and not drained, started_at, heartbeat_at, null, null,
                    timestampdiff(microsecond, heartbeat_at, utc_timestamp(3)) > coalesce(timeout_ms, 30000) * 1000
               from session where started_at <= :until limit :most)
            """;
    private static final String FIRST = """
            select min(started_at) as at
              from (select started_at from session
                    union all (select started_at from session_log order by gone_at limit 1)) s
            """;

    private final Database database;

    public SessionLog(Database database) {
        this.database = database;
    }

    /**
     * Session of a node.
     *
     * @param labels in effect now, or at its end
     * @param takesWork likewise: false, if it was drained or stopping
     * @param heartbeatAt the last sign of it
     * @param goneAt when it was taken from the table; null: it is alive
     * @param reason why; null: it is alive
     * @param silent whether there has been no sign of it for longer than it says that others should wait
     */
    public record SessionLife(
            String id,
            String node,
            Map<String, String> labels,
            int capacity,
            boolean takesWork,
            Instant startedAt,
            Instant heartbeatAt,
            @Nullable Instant goneAt,
            @Nullable String reason,
            boolean silent) {

        /** Returns whether it was in contact with the database. */
        public boolean isThereAt(Instant t) {
            return !startedAt.isAfter(t) && (!silent || !heartbeatAt.isBefore(t));
        }
    }

    /** Returns the sessions alive at some moment of that time, at most so many ended ones and so many live ones. */
    public List<SessionLife> between(Instant from, Instant until, int most) {
        return database.autoCommit(
                "reading which sessions there were",
                handle -> query(handle, BETWEEN, "from", SqlTime.text(from), "until", SqlTime.text(until), "most", most)
                        .map((row, context) -> read(row))
                        .list());
    }

    /** Returns since when sessions are known: earlier ones were not recorded, or are purged. Null if none is known. */
    public @Nullable Instant knownSince() {
        return database.autoCommit(
                "reading since when sessions are known",
                handle -> handle.createQuery(FIRST)
                        .map((row, context) -> java.util.Optional.ofNullable(SqlTime.readOrNull(row, "at")))
                        .one()
                        .orElse(null));
    }

    private static SessionLife read(ResultSet row) throws SQLException {
        return new SessionLife(
                row.getString("id"),
                row.getString("node"),
                JsonRows.texts(row, "labels"),
                row.getInt("capacity"),
                row.getBoolean("took_work"),
                SqlTime.read(row, "started_at"),
                SqlTime.read(row, "heartbeat_at"),
                SqlTime.readOrNull(row, "gone_at"),
                row.getString("reason"),
                row.getBoolean("silent"));
    }
}
