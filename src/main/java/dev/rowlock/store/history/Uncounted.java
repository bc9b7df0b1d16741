package dev.rowlock.store.history;

import dev.rowlock.db.Counted;
import dev.rowlock.db.Listed;
import dev.rowlock.task.Ending;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows of history that were written after others which ended later were counted. Whoever writes such a row notes it
 * here, in the same transaction. They are few: what ended long before it was recorded, as its node had lost the
 * database.
 */
final class Uncounted {

    /** A live row is still there only next to a row of history of this transaction. */
    private static final String NOTE_ENDED = """
            insert into task_uncounted (task_id)
            select h.id from task t force index (primary) straight_join task_history h force index (primary)
                   on h.id = t.id and h.launch_id <=> t.launch_id
             where t.id in (%s)
            """;

    private static final String NOTE = "insert into task_uncounted (task_id) values %s";

    private Uncounted() {}

    /** These were written, as far as they were still live; the live rows are there yet. */
    static void noteEnded(Handle handle, Collection<Ending> endings) {
        List<Long> past = endings.stream()
                .filter(ending -> isPast(handle, ending.endedAt()))
                .map(Ending::taskId)
                .toList();
        Listed.change(handle, past, part -> NOTE_ENDED.formatted(Listed.ids(part)));
    }

    /** All of these were written. */
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
