package dev.rowlock.store;

import java.time.Instant;
import java.util.List;

/** Sessions, to look at. */
public final class SessionQueries {

    private static final String ALL = """
            select id, node, host, pid, version, state, started_at, heartbeat_at,
                   timestampdiff(microsecond, heartbeat_at, utc_timestamp(3)) div 1000 as heartbeat_age_ms,
                   capacity, prepared, executing, clock_skew_ms
              from session order by node
            """;

    private final Database database;

    public SessionQueries(Database database) {
        this.database = database;
    }

    /** The sessions at one moment. */
    public record Cluster(Instant databaseTime, List<SessionView> sessions) {}

    public Cluster cluster() {
        return database.read("listing sessions", handle -> {
            List<SessionView> sessions = handle.createQuery(ALL)
                    .map((row, context) -> new SessionView(
                            row.getString("id"),
                            row.getString("node"),
                            row.getString("host"),
                            row.getLong("pid"),
                            row.getString("version"),
                            row.getString("state"),
                            SqlTime.read(row, "started_at"),
                            SqlTime.read(row, "heartbeat_at"),
                            row.getLong("heartbeat_age_ms"),
                            row.getInt("capacity"),
                            row.getInt("prepared"),
                            row.getInt("executing"),
                            row.getLong("clock_skew_ms")))
                    .list();
            return new Cluster(JobStore.now(handle), sessions);
        });
    }
}
