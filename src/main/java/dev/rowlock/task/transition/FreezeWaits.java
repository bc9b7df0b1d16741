package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.task.Hold;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.HoldStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Wake-ups of what a freeze holds beyond its end, as it was ended or shortened: due at its end, it is decided again.
 * Batches are small, for others wait for the stripes; any node goes on where another has died.
 */
public final class FreezeWaits {

    /** Bound on rows of the index that one statement looks at. */
    private static final int LOOKED_AT = 2_000;
    /** Bound on tasks that one transaction wakes. */
    private static final int WOKEN = 500;

    /** Query that bounds the rows that it reads, not those that it finds: a million others may be due meanwhile. */
    private static final String TASKS = """
            select w.id, w.stripe, w.due_at, coalesce(%1$s, false) as held
              from (select t.id as id, t.stripe, t.due_at from task t force index (due)
                     where t.idle = 1 and t.due_at <= :held%2$s
                     order by %3$s limit %4$d) w
              straight_join task t force index (primary) on t.id = w.id
             order by w.due_at, w.stripe, w.id
            """;

    private static final String CURSORS = """
            select w.id, w.stripe, w.due_at, coalesce(%1$s, false) as held
              from (select t.id as id, t.stripe, t.due_at from job_next t force index (due)
                     where t.due_at <= :held%2$s
                     order by %3$s limit %4$d) w
              straight_join job_next t force index (by_task) on t.id = w.id
             order by w.due_at, w.stripe, w.id
            """;
    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = :until
             where t.state = 'IDLE' and %1$s and t.due_at > :until
            """.formatted(HoldStore.is(Hold.FREEZE));
    private static final String WAKE_CURSORS = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
               set t.due_at = :until
             where %1$s and t.due_at > :until
            """.formatted(HoldStore.is(Hold.FREEZE));

    private final Database database;

    public FreezeWaits(Database database) {
        this.database = database;
    }

    /**
     * Progress of one freeze.
     *
     * @param cursors whether the tasks are woken, and cursors come next
     * @param from where to go on; null: all is woken
     */
    public record WakeProgress(boolean cursors, @Nullable DuePosition from, int woken) {

        public static WakeProgress begin(Freeze freeze) {
            return new WakeProgress(false, DuePosition.at(freeze.until().plusMillis(1)), 0);
        }

        public boolean isDone() {
            return from == null;
        }
    }

    private record HeldRow(DuePosition at, boolean held) {}

    /** Wakes the next batch. */
    public WakeProgress wake(Freeze freeze, WakeProgress progress) {
        Instant held = Objects.requireNonNull(freeze.heldUntil());
        List<HeldRow> rows = look(progress.cursors, Objects.requireNonNull(progress.from), held);
        Map<Long, Integer> batch = new HashMap<>();
        @Nullable DuePosition last = null;
        for (HeldRow row : rows) {
            if (row.held && batch.size() == WOKEN) {
                break;
            }
            last = row.at;
            if (row.held) {
                batch.put(row.at.id(), row.at.stripe());
            }
        }
        if (!batch.isEmpty()) {
            database.transact("waking " + batch.size() + " tasks after a freeze", handle -> {
                Locks.stripes(handle, Set.copyOf(batch.values()));
                return update(
                        handle,
                        progress.cursors ? WAKE_CURSORS : WAKE,
                        "ids",
                        JsonRows.ids(batch.keySet()),
                        "until",
                        SqlTime.text(freeze.until()));
            });
        }
        boolean isEnd = rows.size() < LOOKED_AT && (last == null || last.equals(rows.get(rows.size() - 1).at));
        if (!isEnd) {
            return new WakeProgress(progress.cursors, last, batch.size());
        }
        return progress.cursors
                ? done(freeze, batch.size())
                : new WakeProgress(true, WakeProgress.begin(freeze).from, batch.size());
    }

    private WakeProgress done(Freeze freeze, int woken) {
        database.transact("noting the end of freeze " + freeze.id(), handle -> {
            FreezeStore.woken(handle, freeze);
            return true;
        });
        return new WakeProgress(true, null, woken);
    }

    private List<HeldRow> look(boolean cursors, DuePosition from, Instant held) {
        String sql = (cursors ? CURSORS : TASKS)
                .formatted(HoldStore.is(Hold.FREEZE), from.behind(), DuePosition.ORDER_BY, LOOKED_AT);
        return database.autoCommit(
                "looking for what a freeze holds",
                handle -> look(handle, cursors ? Cursors.condition(sql) : sql, held));
    }

    private static List<HeldRow> look(Handle handle, String sql, Instant held) {
        return query(handle, sql, "held", SqlTime.text(held))
                .map((row, context) -> new HeldRow(
                        new DuePosition(SqlTime.read(row, "due_at"), row.getInt("stripe"), row.getLong("id")),
                        row.getBoolean("held")))
                .list();
    }
}
