package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Rows of {@code session} as {@link ClusterSession}s. */
final class SessionRows {

    static final String COLUMNS = """
            id, node, host, boot_id, pid, pid_start, version, labels, capacity, started_at, beat, heartbeat_at, state,
            prepared,
            executing, clock_skew_ms, timeout_ms, settings, stopping, own_labels, own_capacity, drained""";

    private static final String OF_PROCESS =
            "select id from session where node = :node and boot_id = :boot and pid = :pid and pid_start = :start";

    private SessionRows() {}

    static ClusterSession read(ResultSet row) throws SQLException {
        return new ClusterSession(
                row.getString("id"),
                new ClusterSession.Host(
                        row.getString("host"), row.getString("boot_id"), row.getLong("pid"), row.getLong("pid_start")),
                row.getString("node"),
                row.getString("version"),
                JsonRows.texts(row, "labels"),
                row.getInt("capacity"),
                SqlTime.read(row, "started_at"),
                row.getLong("beat"),
                SqlTime.read(row, "heartbeat_at"),
                state(row),
                row.getInt("prepared"),
                row.getInt("executing"),
                row.getLong("clock_skew_ms"),
                timeout(row),
                JsonRows.texts(row, "settings"),
                configured(row),
                row.getBoolean("drained"));
    }

    /** Returns the configuration; the values in effect if the session's version does not publish it. */
    private static ClusterSession.Configured configured(ResultSet row) throws SQLException {
        int capacity = row.getInt("own_capacity");
        return row.wasNull()
                ? new ClusterSession.Configured(JsonRows.texts(row, "labels"), row.getInt("capacity"))
                : new ClusterSession.Configured(JsonRows.texts(row, "own_labels"), capacity);
    }

    /** Returns the state. An unknown one of a later version is taken for one that takes no work. */
    private static SessionState state(ResultSet row) throws SQLException {
        if (row.getBoolean("stopping")) {
            return SessionState.STOPPING;
        }
        return "ALIVE".equals(row.getString("state")) ? SessionState.ALIVE : SessionState.DRAINING;
    }

    private static @Nullable Duration timeout(ResultSet row) throws SQLException {
        long millis = row.getLong("timeout_ms");
        return row.wasNull() ? null : Duration.ofMillis(millis);
    }

    /** Returns the ids of all sessions in the table of this very process. */
    static List<String> ofThisProcess(Handle handle, ClusterSession self) {
        return query(
                        handle,
                        OF_PROCESS,
                        "node",
                        self.node(),
                        "boot",
                        self.host().bootId(),
                        "pid",
                        self.host().pid(),
                        "start",
                        self.host().pidStart())
                .mapTo(String.class)
                .list();
    }
}
