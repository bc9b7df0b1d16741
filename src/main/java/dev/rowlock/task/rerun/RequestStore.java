package dev.rowlock.task.rerun;

import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.db.Database;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskView;
import org.jdbi.v3.core.Handle;

/** Requests to other sessions, which read them with their next heartbeat. */
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

    /** Writes a request, or renews it. */
    public void ask(String session, LaunchId launch, Requests.RequestKind kind) {
        database.transact("asking for " + kind + " of " + launch, handle -> ask(handle, session, launch, kind));
    }

    /** Requests the end of what a session executes. */
    public void kill(String session, LaunchId launch, TaskView task, Audit audit) {
        database.transact("asking for the end of " + launch, handle -> {
            audit.write(
                    handle,
                    Subject.task(task.job()),
                    JsonNodeFactory.instance.objectNode().put("task", task.id()).put("launchId", launch.text()));
            return ask(handle, session, launch, Requests.RequestKind.KILL);
        });
    }

    private static int ask(Handle handle, String session, LaunchId launch, Requests.RequestKind kind) {
        return update(handle, ASK, "session", session, "launch", launch.text(), "kind", kind.name());
    }
}
