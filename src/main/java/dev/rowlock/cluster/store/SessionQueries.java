package dev.rowlock.cluster.store;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.EndedSession;
import dev.rowlock.cluster.NodeSetting;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Queries of the present sessions. */
public final class SessionQueries {

    private static final String ALL = "select " + SessionRows.COLUMNS + " from session order by node";

    private static final String GONE = """
            select id, node, host, pid, version, capacity, started_at, heartbeat_at, gone_at, reason
              from session_past where gone_at >= utc_timestamp(3) - interval 1 day order by node
            """;

    private final Database database;

    public SessionQueries(Database database) {
        this.database = database;
    }

    /**
     * Snapshot of the sessions, by node.
     *
     * @param gone the last of each node that ended within a day
     * @param settings what operators asked of nodes, by their names
     */
    public record ClusterSnapshot(
            Instant databaseTime,
            List<ClusterSession> sessions,
            List<EndedSession> gone,
            Map<String, NodeSetting> settings) {}

    public ClusterSnapshot cluster() {
        return database.autoCommit("listing sessions", handle -> {
            List<ClusterSession> sessions = live(handle);
            List<EndedSession> gone =
                    handle.createQuery(GONE).map((row, context) -> past(row)).list();
            return new ClusterSnapshot(SqlTime.now(handle), sessions, gone, NodeSettings.all(handle));
        });
    }

    /** Returns the sessions alone, by node; one statement that waits for no lock. */
    public List<ClusterSession> live() {
        return database.autoCommit("listing sessions", SessionQueries::live);
    }

    private static List<ClusterSession> live(Handle handle) {
        return handle.createQuery(ALL)
                .map((row, context) -> SessionRows.read(row))
                .list();
    }

    /** Returns whether any live node can run commands as any user. */
    public boolean someRunAsOthers() {
        return live().stream().anyMatch(ClusterSession::runsAsOthers);
    }

    private static EndedSession past(ResultSet row) throws SQLException {
        return new EndedSession(
                row.getString("id"),
                row.getString("node"),
                row.getString("host"),
                row.getLong("pid"),
                row.getString("version"),
                row.getInt("capacity"),
                SqlTime.read(row, "started_at"),
                SqlTime.read(row, "heartbeat_at"),
                SqlTime.read(row, "gone_at"),
                row.getString("reason"));
    }
}
