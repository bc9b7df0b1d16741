package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.Hold;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.policy.WakeDecision;
import java.util.Collection;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Tasks that wait for others of their job: they are due as soon as nothing is in their way. */
final class Waiters {

    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.waits_for = null
             where t.state = 'IDLE' and (%s or %s)
            """.formatted(Holds.is(Hold.OVERLAP), Holds.is(Hold.NODE));

    private Waiters() {}

    /** After tasks of these jobs have ended, under their shard rows. */
    static void wake(Handle handle, Collection<Long> jobs) {
        List<Long> next = LiveTasks.of(handle, jobs).values().stream()
                .flatMap(tasks -> WakeDecision.of(tasks).stream())
                .map(LiveTask::id)
                .toList();
        if (!next.isEmpty()) {
            update(handle, WAKE, "ids", JsonRows.ids(next));
        }
    }
}
