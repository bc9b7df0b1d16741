package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.Waiters;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Removal of rows that cannot go on, and would delay others, from the scan: idle, due at no time, held with the error.
 * {@link Asides} retries them.
 */
public final class Quarantine {

    private static final String IDLE = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]', version int path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
               set t.due_at = null, t.hold = 'ERROR', t.hold_reason = :error
             where t.state = 'IDLE' and t.due_at is not null and j.version = v.version
            """;
    private static final String CURSORS = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]', version int path '$[1]')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
               set t.due_at = null, t.hold = 'ERROR', t.hold_reason = :error
             where t.due_at is not null and t.job_version = v.version
            """;
    private static final String PREPARED = """
            update task
               set state = 'IDLE', launch_id = null, session_id = null, prepared_at = null, due_at = null,
                      hold = 'ERROR', hold_reason = :error
             where id = :id and state = 'PREPARED' and launch_id = :launch
            """;

    private final Database database;

    public Quarantine(Database database) {
        this.database = database;
    }

    /**
     * Sets idle rows aside.
     *
     * @param rows idle tasks, or cursors by the ids that they reserve, with the version of their jobs that was seen
     */
    public void idle(Collection<TaskRef> rows, String why) {
        database.transact("setting " + rows.size() + " rows aside", handle -> {
            Locks.stripes(handle, rows.stream().map(TaskRef::stripe).collect(Collectors.toSet()));
            String ids = JsonRows.of(rows, r -> row(r.id(), r.version()));
            String error = HoldStore.error(why);
            int changed = update(handle, IDLE, "rows", ids, "error", error)
                    + update(handle, CURSORS, "rows", ids, "error", error);
            noted(handle, rows.stream().map(TaskRef::id).toList());
            return changed;
        });
    }

    /** Sets aside a row that was to be fired. */
    public void prepared(Claim claim, String why) {
        database.transact("setting task " + claim.id() + " aside", handle -> {
            Locks.stripes(handle, java.util.Set.of(claim.stripe()));
            int changed = update(
                    handle, PREPARED, "id", claim.id(), "launch", claim.held().text(), "error", HoldStore.error(why));
            noted(handle, List.of(claim.id()));
            return changed;
        });
    }

    /** Notes the tasks as set aside, and wakes others of their jobs that may have waited for them. */
    private static void noted(Handle handle, List<Long> tasks) {
        Asides.note(handle, tasks);
        Waiters.wakeBehind(handle, tasks, FreedResource.TURN);
    }
}
