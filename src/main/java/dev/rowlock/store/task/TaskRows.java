package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Listed;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.TaskHistory;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Live rows whose jobs change, under their shard rows: one statement for each thing, however many rows they are. */
public final class TaskRows {

    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, state, cursor_of,
                   selector)
            values (:job, :version, :shard, :fireTime, '', 1, 'SCHEDULE', :fireTime, 'IDLE', :job, :selector)
            """;
    /** It is another occurrence then: nothing that held the one before holds this. */
    private static final String MOVE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', fire_time varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.fire_time = v.fire_time, t.due_at = v.fire_time, t.jitter_ms = 0, t.waits_for = null
             where t.state = 'IDLE'
            """;

    private static final String LINK = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', next varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.next_fire_time = v.next
            """;
    private static final String UNFLAG =
            "update task t force index (primary) set t.cursor_of = null where t.id in (%s)";
    private static final String DELETE =
            "delete t from task t force index (primary) where t.id in (%s) and t.state <> 'EXECUTING'";

    /** So many rows become history with one statement. */
    private static final int TOGETHER = 500;

    private TaskRows() {}

    /** A row and a fire time that it gets; what is null, it loses. */
    public record At(long task, @Nullable Instant fireTime) {}

    /** The row of a job from which its next occurrence will be made. */
    public record Cursor(JobAtVersion job, Instant fireTime, Selector nodes) {}

    /** Takes the cursor off these rows; the caller gives it to others, or their jobs have none any more. */
    public static void unflag(Handle handle, List<Long> tasks) {
        Listed.change(handle, tasks, part -> UNFLAG.formatted(Listed.ids(part)));
    }

    /** Sets the fire times that follow these rows. */
    public static void link(Handle handle, Collection<At> rows) {
        if (!rows.isEmpty()) {
            update(handle, LINK, "rows", times(rows));
        }
    }

    /** Lets these idle rows stand for other fire times. */
    public static void move(Handle handle, Collection<At> rows) {
        if (!rows.isEmpty()) {
            all("moving", rows.size(), update(handle, MOVE, "rows", times(rows)));
        }
    }

    /** Forgets rows that nobody was promised anything by, or that are history. */
    public static void delete(Handle handle, List<Long> tasks) {
        all("deleting", tasks.size(), Listed.change(handle, tasks, part -> DELETE.formatted(Listed.ids(part))));
    }

    /** These rows become history. */
    public static void end(Handle handle, List<NotRun> rows) {
        for (int from = 0; from < rows.size(); from += TOGETHER) {
            List<NotRun> part = rows.subList(from, Math.min(rows.size(), from + TOGETHER));
            TaskHistory.writeNotRun(handle, part);
            delete(handle, part.stream().map(NotRun::taskId).toList());
        }
    }

    /** New idle rows, due at their fire times until {@link TasksOfJobs#stamp} says otherwise. */
    public static void insert(Handle handle, Collection<Cursor> cursors) {
        if (cursors.isEmpty()) {
            return;
        }
        Map<Selector, Integer> selectors =
                SelectorStore.idsOf(handle, cursors.stream().map(Cursor::nodes).toList());
        PreparedBatch batch = handle.prepareBatch(INSERT);
        cursors.forEach(cursor -> batch.bind("job", cursor.job().jobId())
                .bind("version", cursor.job().version())
                .bind("shard", Locks.shardOf(cursor.job().jobId()))
                .bind("fireTime", SqlTime.text(cursor.fireTime()))
                .bind("selector", Objects.requireNonNull(selectors.get(cursor.nodes())))
                .add());
        batch.execute();
    }

    private static String times(Collection<At> rows) {
        return JsonRows.of(rows, at -> row(at.task(), SqlTime.textOrNull(at.fireTime())));
    }

    private static void all(String what, int rows, int changed) {
        if (changed != rows) {
            throw new IllegalStateException(what + " " + rows + " tasks under their shard rows changed " + changed);
        }
    }
}
