package dev.rowlock.task.history;

import dev.rowlock.db.Counted;
import dev.rowlock.db.Listed;
import dev.rowlock.task.Ending;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Rows of history that were written after others which ended later were counted. Writing such a row notes it here, in
 * the same transaction. They are few: tasks that ended long before they were recorded, as their node had lost the
 * database.
 */
final class Uncounted {

    /** Insert by live rows: one still exists beside a row of history only if this transaction wrote that. */
    private static final String NOTE_ENDED = """
            insert into task_uncounted (task_id)
            select h.id from task t force index (primary) straight_join task_history h force index (primary)
                   on h.id = t.id and h.launch_id <=> t.launch_id
             where t.id in (%s)
            """;

    private static final String NOTE = "insert into task_uncounted (task_id) values %s";

    private Uncounted() {}

    /** Notes endings that were written, as far as they were still live. Call before the live rows are deleted. */
    static void noteEnded(Handle handle, Collection<Ending> endings) {
        List<Long> past = endings.stream()
                .filter(ending -> isPast(handle, ending.endedAt()))
                .map(Ending::taskId)
                .toList();
        Listed.change(handle, past, part -> NOTE_ENDED.formatted(Listed.ids(part)));
    }

    /** Notes rows that were all written. */
    static void noteNotRun(Handle handle, Collection<TaskHistory.NotRun> rows) {
        List<String> past = rows.stream()
                .filter(row -> isPast(handle, row.endedAt()))
                .map(row -> "(" + row.taskId() + ")")
                .toList();
        Listed.change(handle, past, part -> NOTE.formatted(String.join(",", part)));
    }

    private static boolean isPast(Handle handle, @Nullable Instant endedAt) {
        return handle.getConfig(Counted.class).isPast(endedAt);
    }
}
