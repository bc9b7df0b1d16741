package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.Locks.HeldStripes;
import dev.rowlock.db.SqlTime;
import dev.rowlock.freeze.Freezes;
import dev.rowlock.freeze.FrozenCursor;
import dev.rowlock.freeze.FrozenCursor.CursorAction;
import dev.rowlock.freeze.store.KnownFreezes;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.OwnerSession;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Cursors of jobs that wait for the end of a freeze: held until then, or released before their time. */
public final class FrozenCursors {

    private static final String PARK = """
            update json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', id bigint path '$[1]', version int path '$[2]',
                     was varchar(23) character set ascii path '$[3]', until varchar(23) character set ascii path '$[4]',
                     hold varchar(10) character set ascii path '$[5]',
                     reason varchar(200) character set utf8mb4 path '$[6]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job
               set t.due_at = v.until, t.hold = v.hold, t.hold_reason = v.reason
             where t.fire_time = v.was and t.job_version = v.version and t.task_id = v.id and t.due_at is not null
            """;

    private final Database database;
    private final KnownFreezes freezes;

    public FrozenCursors(Database database, KnownFreezes freezes) {
        this.database = database;
        this.freezes = freezes;
    }

    /** Reads the freezes again if this node has heard of a change. */
    public void refresh() {
        if (freezes.isStale()) {
            freezes.refresh(database);
        }
    }

    /** Cursor that waits from now on, or waits no longer. */
    public record CursorHold(Task cursor, FrozenCursor decision) {}

    /**
     * Carries out these decisions, each only if its cursor still stands where it was seen.
     *
     * @param by the freezes on which they were made
     * @return false: there are others by now, and nothing was changed
     */
    public boolean park(String session, List<CursorHold> cursors, Freezes by) {
        return database.transact("holding " + cursors.size() + " jobs for a freeze", handle -> {
            Set<Integer> stripes =
                    cursors.stream().map(moved -> moved.cursor.stripe()).collect(Collectors.toSet());
            HeldStripes held = Locks.lock(handle, stripes);
            if (held.rules() != by.rules()) {
                return freezes.asOf(handle, held.rules()).rules() == by.rules();
            }
            Locks.changeWhereNeeded(handle, stripes);
            OwnerSession.mustBeThere(handle, session);
            write(handle, cursors);
            return true;
        });
    }

    private static void write(Handle handle, List<CursorHold> cursors) {
        update(handle, PARK, "rows", JsonRows.of(cursors, moved -> {
            Task cursor = moved.cursor;
            String reason = moved.decision.reason();
            return row(
                    cursor.jobId(),
                    cursor.id(),
                    cursor.version(),
                    SqlTime.text(cursor.fireTime()),
                    SqlTime.textOrNull(moved.decision.until()),
                    moved.decision.action() == CursorAction.PARK ? Hold.FREEZE.name() : null,
                    reason == null ? null : HoldStore.reason(reason));
        }));
    }
}
