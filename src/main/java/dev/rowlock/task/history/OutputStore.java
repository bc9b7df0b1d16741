package dev.rowlock.task.history;

import dev.rowlock.db.Database;
import dev.rowlock.task.LaunchId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Store of commands' kept output; never part of the transaction that records a result. */
public final class OutputStore {

    private static final String WRITE = """
            insert into task_output (task_id, launch_id, total_bytes, cut_bytes, head, tail, written_at)
            values (:task, :launch, :total, :cut, :head, :tail, utc_timestamp(3))
            on duplicate key update launch_id = values(launch_id), total_bytes = values(total_bytes),
                   cut_bytes = values(cut_bytes), head = values(head), tail = values(tail),
                   written_at = values(written_at)
            """;

    private static final String LOST = """
            select id, launch_id from task_history where outcome = 'LOST' and launch_id in (<launches>)
            """;

    private static final String EXECUTING = """
            select launch_id from task where idle = 0 and state = 'EXECUTING' and launch_id in (<launches>)
            """;

    private final Database database;

    public OutputStore(Database database) {
        this.database = database;
    }

    /** Writes a task's output so far; replaces what was written before. */
    public void write(long task, LaunchId launch, long totalBytes, long cutBytes, byte[] head, byte[] tail) {
        database.transact(
                "storing the output of task " + task,
                handle -> handle.createUpdate(WRITE)
                        .bind("task", task)
                        .bind("launch", launch.text())
                        .bind("total", totalBytes)
                        .bind("cut", cutBytes)
                        .bind("head", head)
                        .bind("tail", tail)
                        .execute());
    }

    /** Returns those of these launches that history has as lost, with their tasks. */
    public Map<LaunchId, Long> lost(Set<LaunchId> launches) {
        Map<LaunchId, Long> tasks = new HashMap<>();
        database.autoCommit(
                "looking for lost tasks",
                handle -> handle.createQuery(LOST)
                        .bindList("launches", texts(launches))
                        .map((row, context) -> tasks.put(new LaunchId(row.getString("launch_id")), row.getLong("id")))
                        .list());
        return tasks;
    }

    /** Returns those of these launches that have not ended yet, as far as the database knows. */
    public Set<LaunchId> executing(Set<LaunchId> launches) {
        return database.autoCommit(
                "looking for what executes",
                handle -> handle.createQuery(EXECUTING)
                        .bindList("launches", texts(launches))
                        .map((row, context) -> new LaunchId(row.getString("launch_id")))
                        .set());
    }

    private static List<String> texts(Set<LaunchId> launches) {
        return launches.stream().map(LaunchId::text).toList();
    }
}
