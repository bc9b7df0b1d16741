package dev.rowlock.task.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.task.rule.Placement.CandidateNode;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Session in whose name a transaction takes tasks or settles them. */
public final class OwnerSession {

    private static final String NODES =
            "select node, labels, state = 'ALIVE' and not drained as takes_work from session";

    private OwnerSession() {}

    /**
     * Throws if the session is gone. Call under a lock row that expiry takes too.
     *
     * @throws SessionGone the session was expired
     */
    public static void mustBeThere(Handle handle, String id) {
        if (!isThere(handle, id)) {
            throw new SessionGone(id);
        }
    }

    /**
     * Returns whether the session has not expired, as it stays while the caller holds a stripe: what ends a session
     * takes all of them.
     */
    public static boolean isThere(Handle handle, String id) {
        return query(handle, "select 1 from session where id = :id", "id", id)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    /**
     * Returns the node of a session, which must exist. Changing its labels takes the lock row, too.
     *
     * @throws SessionGone the session was expired
     */
    public static CandidateNode node(Handle handle, String id) {
        List<CandidateNode> found = nodes(handle, NODES + " where id = :id", "id", id);
        if (found.isEmpty()) {
            throw new SessionGone(id);
        }
        return found.get(0);
    }

    /** Returns the live nodes, by name. */
    public static List<CandidateNode> nodes(Handle handle) {
        return nodes(handle, NODES + " order by node");
    }

    private static List<CandidateNode> nodes(Handle handle, String sql, Object... values) {
        return query(handle, sql, values)
                .map((row, context) -> new CandidateNode(
                        row.getString("node"), JsonRows.texts(row, "labels"), row.getBoolean("takes_work")))
                .list();
    }
}
