package dev.rowlock.store;

import dev.rowlock.job.CommandOutput;
import java.time.Instant;
import java.util.Optional;

/** Reads the output that is kept. */
public final class OutputQueries {

    private static final String FIND =
            "select launch_id, total_bytes, head, tail, written_at from task_output where task_id = :task";

    private final Database database;

    public OutputQueries(Database database) {
        this.database = database;
    }

    /** @param writtenAt by the database's clock */
    public record Kept(String launchId, CommandOutput output, Instant writtenAt) {}

    public Optional<Kept> find(long task) {
        return database.read(
                "reading the output of task " + task,
                handle -> handle.createQuery(FIND)
                        .bind("task", task)
                        .map((row, context) -> new Kept(
                                row.getString("launch_id"),
                                new CommandOutput(
                                        row.getLong("total_bytes"), row.getBytes("head"), row.getBytes("tail")),
                                SqlTime.read(row, "written_at")))
                        .findOne());
    }
}
