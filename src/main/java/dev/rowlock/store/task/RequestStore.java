package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.job.LaunchId;

/** Asks other sessions for something; they read it with their next heartbeat. */
public final class RequestStore {

    private static final String ASK = """
            insert into task_request (session_id, launch_id, kind, requested_at)
            values (:session, :launch, :kind, utc_timestamp(3))
            on duplicate key update requested_at = utc_timestamp(3)
            """;

    private final Database database;

    public RequestStore(Database database) {
        this.database = database;
    }

    /** Asks; or, if it was asked already, renews that. */
    public void ask(String session, LaunchId launch, Requests.RequestKind kind) {
        database.transact(
                "asking for " + kind + " of " + launch,
                handle -> update(handle, ASK, "session", session, "launch", launch.text(), "kind", kind.name()));
    }
}
