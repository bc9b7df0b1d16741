package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;

import org.jdbi.v3.core.Handle;

/** The session in whose name a transaction takes tasks or settles them. */
public final class OwnerSession {

    private OwnerSession() {}

    /** @throws SessionGone the session was expired; read under a lock row that expiry takes too */
    public static void mustBeThere(Handle handle, String id) {
        if (!isThere(handle, id)) {
            throw new SessionGone(id);
        }
    }

    public static boolean isThere(Handle handle, String id) {
        return query(handle, "select 1 from session where id = :id", "id", id)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }
}
