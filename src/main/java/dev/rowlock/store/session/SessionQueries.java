package dev.rowlock.store.session;

import dev.rowlock.cluster.PastSession;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.store.job.JobStore;

import dev.rowlock.cluster.Member;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Sessions, to look at. */
public final class SessionQueries {

    private static final String ALL = "select " + MemberRows.COLUMNS + " from session order by node";

    private static final String GONE = """
            select id, node, host, pid, version, capacity, started_at, heartbeat_at, gone_at, reason
              from session_past where gone_at >= utc_timestamp(3) - interval 1 day order by node
            """;

    private final Database database;

    public SessionQueries(Database database) {
        this.database = database;
    }

    /**
     * The sessions at one moment, by node.
     *
     * @param gone the last of each node that ended within a day
     */
    public record Cluster(Instant databaseTime, List<Member> sessions, List<PastSession> gone) {}

    public Cluster cluster() {
        return database.read("listing sessions", handle -> {
            List<Member> sessions = handle.createQuery(ALL)
                    .map((row, context) -> MemberRows.read(row))
                    .list();
            List<PastSession> gone =
                    handle.createQuery(GONE).map((row, context) -> past(row)).list();
            return new Cluster(JobStore.now(handle), sessions, gone);
        });
    }

    private static PastSession past(ResultSet row) throws SQLException {
        return new PastSession(
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
