package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.history.TaskHistory.NotRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Updates of live rows whose jobs change, under their stripe rows: one statement for each kind of change, however many
 * rows there are.
 */
public final class TaskRows {

    private static final String LINK = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', next varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.next_fire_time = v.next
            """;
    private static final String DELETE =
            "delete t from task t force index (primary) where t.id in (%s) and t.state <> 'EXECUTING'";

    /** Rows that become history with one statement. */
    private static final int TOGETHER = 500;

    private TaskRows() {}

    /** Row and the fire time that it gets; null clears it. */
    public record At(long task, @Nullable Instant fireTime) {}

    /** Id that a cursor reserves for its task, and the fire time at which it stands from now on. */
    public record MovedCursor(long task, Instant fireTime, Duration jitter) {}

    /** Sets the fire times that follow these rows. */
    public static void link(Handle handle, Collection<At> rows) {
        if (!rows.isEmpty()) {
            update(handle, LINK, "rows", times(rows));
        }
    }

    /** Deletes rows that were promised to nobody, or that are history. */
    public static void delete(Handle handle, List<Long> tasks) {
        all("deleting", tasks.size(), InList.change(handle, tasks, part -> DELETE.formatted(InList.ids(part))));
    }

    /** Moves these rows to history. */
    public static void end(Handle handle, List<NotRun> rows) {
        for (int from = 0; from < rows.size(); from += TOGETHER) {
            List<NotRun> part = rows.subList(from, Math.min(rows.size(), from + TOGETHER));
            TaskHistory.writeNotRun(handle, part);
            delete(handle, part.stream().map(NotRun::taskId).toList());
        }
    }

    /** Moves rows that may have been held to history, and deletes their waits. */
    public static void endWaiting(Handle handle, List<NotRun> rows) {
        end(handle, rows);
        Waits.forget(handle, rows.stream().map(NotRun::taskId).toList());
    }

    private static String times(Collection<At> rows) {
        return JsonRows.of(rows, at -> row(at.task(), SqlTime.textOrNull(at.fireTime())));
    }

    private static void all(String what, int rows, int changed) {
        if (changed != rows) {
            throw new IllegalStateException(what + " " + rows + " tasks under their stripe rows changed " + changed);
        }
    }
}
