package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.CommandOutput;
import java.time.Instant;
import java.util.Optional;

/** Queries of the output that is kept. */
public final class OutputQueries {

    private static final String FIND =
            "select launch_id, total_bytes, cut_bytes, written_at from task_output where task_id = :task";
    private static final String CONTENT =
            "select total_bytes, head, tail from task_output where task_id = :task and launch_id = :launch";

    private static final String TAIL = """
            select if(length(tail) > 0, right(tail, :bytes), right(head, :bytes)) as tail
              from task_output where task_id = :task
            """;

    private final Database database;

    public OutputQueries(Database database) {
        this.database = database;
    }

    /**
     * Kept output of a task, without its content.
     *
     * @param totalBytes how much the command wrote
     * @param keptBytes how much of it is kept
     * @param writtenAt by the database's clock
     */
    public record KeptOutput(String launchId, long totalBytes, long keptBytes, Instant writtenAt) {}

    /** Finds the kept output; call before {@link #content}, which may be mebibytes. */
    public Optional<KeptOutput> find(long task) {
        return database.autoCommit(
                "reading what is kept of the output of task " + task,
                handle -> query(handle, FIND, "task", task)
                        .map((row, context) -> new KeptOutput(
                                row.getString("launch_id"),
                                row.getLong("total_bytes"),
                                row.getLong("total_bytes") - row.getLong("cut_bytes"),
                                SqlTime.read(row, "written_at")))
                        .findOne());
    }

    /** Returns the output itself; empty if there is none of this launch, or no longer. */
    public Optional<CommandOutput> content(long task, String launchId) {
        return database.autoCommit(
                "reading the output of task " + task,
                handle -> query(handle, CONTENT, "task", task, "launch", launchId)
                        .map((row, context) -> new CommandOutput(
                                row.getLong("total_bytes"), row.getBytes("head"), row.getBytes("tail")))
                        .findOne());
    }

    /** Returns the end of what is kept; empty if nothing is. */
    public Optional<byte[]> tail(long task, int bytes) {
        return database.autoCommit(
                "reading the end of the output of task " + task,
                handle -> query(handle, TAIL, "task", task, "bytes", bytes)
                        .map((row, context) -> row.getBytes("tail"))
                        .findOne());
    }
}
