package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Listed;
import dev.rowlock.db.SqlTime;
import dev.rowlock.store.history.TaskHistory;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Live rows whose jobs change, under their stripe rows: one statement for each thing, however many rows they are. */
public final class TaskRows {

    private static final String LINK = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', next varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.next_fire_time = v.next
            """;
    private static final String DELETE =
            "delete t from task t force index (primary) where t.id in (%s) and t.state <> 'EXECUTING'";

    /** So many rows become history with one statement. */
    private static final int TOGETHER = 500;

    private TaskRows() {}

    /** A row and a fire time that it gets; what is null, it loses. */
    public record At(long task, @Nullable Instant fireTime) {}

    /** The id that a cursor keeps for its task, and the fire time at which it stands from now on. */
    public record Moved(long task, Instant fireTime, Duration jitter) {}

    /** Sets the fire times that follow these rows. */
    public static void link(Handle handle, Collection<At> rows) {
        if (!rows.isEmpty()) {
            update(handle, LINK, "rows", times(rows));
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

    /** The same of rows that may have been held: what they waited for forgets them. */
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
