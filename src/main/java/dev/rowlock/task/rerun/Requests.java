package dev.rowlock.task.rerun;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.task.LaunchId;
import java.util.List;

/** Requests of others to a session about its commands, which it reads with its heartbeat. */
public final class Requests {

    /** Requests in force, of kinds that this version knows. One to follow output expires unless it is renewed. */
    private static final String ASKED = """
            select launch_id, kind from task_request
             where session_id = :session
               and (kind = 'KILL' or kind = 'FOLLOW' and requested_at > utc_timestamp(3) - interval 15 second)
            """;

    private static final String DONE = """
            delete from task_request where session_id = :session and launch_id = :launch and kind = :kind
            """;
    private static final String HELD =
            "select 1 from task force index (held) where session_id = :session and launch_id = :launch limit 1";
    /** Old requests. A live session has not seen its own yet: it may have no database, and its commands go on. */
    private static final String OLD = """
            delete from task_request
             where requested_at < utc_timestamp(3) - interval 1 hour
               and (kind = 'FOLLOW' or session_id not in (select id from session))
            """;

    private final Database database;

    public Requests(Database database) {
        this.database = database;
    }

    /** Kind of request. */
    public enum RequestKind {
        /** Ends the command. */
        KILL,
        /** Writes its output so far to the database, every second. */
        FOLLOW
    }

    /** Single request. */
    public record TaskRequest(LaunchId launch, RequestKind kind) {}

    /** Returns the requests to a session that are not struck off; one may be carried out twice. */
    public List<TaskRequest> of(String session) {
        return database.autoCommit(
                "reading what is asked of this node",
                handle -> query(handle, ASKED, "session", session)
                        .map((row, context) -> new TaskRequest(
                                new LaunchId(row.getString("launch_id")), RequestKind.valueOf(row.getString("kind"))))
                        .list());
    }

    /** Strikes a request off, however often. */
    public void done(String session, TaskRequest asked) {
        database.autoCommit(
                "striking a request",
                handle -> handle.createUpdate(DONE)
                        .bind("session", session)
                        .bind("launch", asked.launch().text())
                        .bind("kind", asked.kind().name())
                        .execute());
    }

    /**
     * Returns whether the session holds a task under that launch id; once it does not, it never will. Takes no lock.
     */
    public boolean holds(String session, LaunchId launch) {
        return database.autoCommit(
                "looking for launch " + launch,
                handle -> query(handle, HELD, "session", session, "launch", launch.text())
                        .mapTo(Integer.class)
                        .findOne()
                        .isPresent());
    }

    /** Deletes requests that nobody answered. */
    public int forgetOld() {
        return database.autoCommit("striking old requests", handle -> update(handle, OLD));
    }
}
