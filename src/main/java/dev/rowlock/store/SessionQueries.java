package dev.rowlock.store;

import dev.rowlock.cluster.Member;
import java.time.Instant;
import java.util.List;

/** Sessions, to look at. */
public final class SessionQueries {

    private static final String ALL = "select " + MemberRows.COLUMNS + " from session order by node";

    private final Database database;

    public SessionQueries(Database database) {
        this.database = database;
    }

    /** The sessions at one moment, by node. */
    public record Cluster(Instant databaseTime, List<Member> sessions) {}

    public Cluster cluster() {
        return database.read("listing sessions", handle -> {
            List<Member> sessions = handle.createQuery(ALL)
                    .map((row, context) -> MemberRows.read(row))
                    .list();
            return new Cluster(JobStore.now(handle), sessions);
        });
    }
}
