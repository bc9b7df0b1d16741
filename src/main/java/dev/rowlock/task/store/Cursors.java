package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.task.store.TaskRows.MovedCursor;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of jobs, rows of {@code job_next}, under their stripe rows. A cursor moves in place, and only from where it
 * was seen; the occurrence that it leaves becomes a task in the same transaction, with the id that the cursor had
 * reserved for it.
 */
public final class Cursors {

    private static final String ROWS = """
            json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', id bigint path '$[1]', version int path '$[2]',
                     was varchar(23) character set ascii path '$[3]',
                     fire_time varchar(23) character set ascii path '$[4]',
                     due_at varchar(23) character set ascii path '$[5]', next_id bigint path '$[6]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job""";
    /**
     * Condition that a cursor is unchanged. Every change of a job writes its version here, so the job need not be read.
     */
    private static final String AS_SEEN =
            "t.fire_time = v.was and t.job_version = v.version and t.task_id = v.id and t.due_at is not null";

    private static final String MOVE_ON = """
            update %s
               set t.fire_time = v.fire_time, t.due_at = v.due_at, t.task_id = v.next_id
             where %s
            """.formatted(ROWS, AS_SEEN);
    private static final String MOVED = "select t.job_id from " + ROWS + " where t.task_id = v.next_id";
    private static final String STANDING = "select t.job_id from " + ROWS + " where " + AS_SEEN;
    private static final String REMOVE = "delete t from " + ROWS + " where " + AS_SEEN;

    private static final String BY_IDS = """
            json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id""";
    private static final String AS_TASKS = """
            insert into task (id, job_id, job_version, stripe, fire_time, attempt, cause, due_at, hold, hold_reason,
                   state, needs, priority, group_name, selector, jitter_ms, queued_at)
            select t.task_id, t.job_id, t.job_version, t.stripe, t.fire_time, 1, 'SCHEDULE', t.due_at, t.hold,
                   t.hold_reason, 'IDLE', t.needs, t.priority, t.group_name, t.selector, t.jitter_ms,
                   if(t.hold = 'FREEZE', utc_timestamp(3), null)
            """;
    private static final String DELETE = "delete t from " + BY_IDS;

    /** Move to another occurrence: nothing that held the one before holds this one. */
    private static final String PUT = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', fire_time varchar(23) character set ascii path '$[1]',
                     due_at varchar(23) character set ascii path '$[2]', jitter bigint path '$[3]')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
               set t.fire_time = v.fire_time, t.due_at = v.due_at, t.jitter_ms = v.jitter,
                   t.hold = null, t.hold_reason = null
            """;

    private static final Pattern ID = Pattern.compile("\\bt\\.id\\b");

    private Cursors() {}

    /**
     * Move of one cursor.
     *
     * @param task the id that it reserves for its occurrence
     * @param from its fire time, as it was seen
     * @param to where it goes; null: the schedule has no further fire time, and the cursor is removed
     * @param jitter how far behind its fire time the next occurrence is due
     */
    public record Move(
            long job,
            long task,
            int version,
            Instant from,
            @Nullable Instant to,
            Duration jitter) {}

    /**
     * Moves the cursors that still stand where they were seen, in the version that was seen, and are not parked.
     *
     * @return the jobs of those that were moved
     */
    public static Set<Long> moveOn(Handle handle, List<Move> moves) {
        Set<Long> moved = new HashSet<>();
        List<Move> on = moves.stream().filter(move -> move.to() != null).toList();
        if (!on.isEmpty()) {
            String rows = rows(on, TaskIds.next(handle, on.size()));
            if (update(handle, MOVE_ON, "rows", rows) == on.size()) {
                on.forEach(move -> moved.add(move.job()));
            } else {
                moved.addAll(
                        query(handle, MOVED, "rows", rows).mapTo(Long.class).list());
            }
        }
        List<Move> last = moves.stream().filter(move -> move.to() == null).toList();
        if (!last.isEmpty()) {
            String rows = rows(last, List.of());
            Set<Long> standing =
                    query(handle, STANDING, "rows", rows).mapTo(Long.class).set();
            all("removing", standing.size(), update(handle, REMOVE, "rows", rows));
            moved.addAll(standing);
        }
        return moved;
    }

    /** Moves cursors as {@link #moveOn} does; each leaves an idle task where it stood. */
    public static Set<Long> moveOnWithTasks(Handle handle, List<Move> moves) {
        if (moves.isEmpty()) {
            return Set.of();
        }
        String rows = rows(moves, List.of());
        Set<Long> standing =
                query(handle, STANDING, "rows", rows).mapTo(Long.class).set();
        int made = update(handle, AS_TASKS + " from " + ROWS + " where " + AS_SEEN, "rows", rows);
        Set<Long> moved = moveOn(handle, moves);
        all("moving", standing.size(), made);
        all("moving", made, moved.size());
        return moved;
    }

    private static String rows(List<Move> moves, List<Long> ids) {
        Iterator<Long> next = ids.iterator();
        return JsonRows.of(
                moves,
                move -> row(
                        move.job(),
                        move.task(),
                        move.version(),
                        SqlTime.text(move.from()),
                        SqlTime.textOrNull(move.to()),
                        move.to() == null ? null : SqlTime.text(move.to().plus(move.jitter())),
                        next.hasNext() ? next.next() : null));
    }

    /**
     * Makes idle tasks of the occurrences at which these cursors stand, each with its id, and removes the cursors. Ids
     * of no cursor are ignored. The caller makes other cursors for their jobs, or they have none.
     */
    public static void toTasks(Handle handle, Collection<Long> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        String ids = JsonRows.ids(Set.copyOf(tasks));
        int made = update(handle, AS_TASKS + " from " + BY_IDS, "ids", ids);
        if (made > 0) {
            all("removing", made, update(handle, DELETE, "ids", ids));
        }
    }

    /**
     * Makes tasks of the cursors of these jobs that meet a condition; their other cursors are removed without a trace.
     */
    static void toTasks(Handle handle, String jobs, String condition, String rows) {
        update(handle, AS_TASKS + " from " + jobs + " where " + condition, "rows", rows);
        update(handle, "delete t from " + jobs, "rows", rows);
    }

    /** Moves the cursors that reserve these ids to other fire times. */
    public static void put(Handle handle, Collection<MovedCursor> cursors) {
        if (!cursors.isEmpty()) {
            String rows = JsonRows.of(
                    cursors,
                    moved -> row(
                            moved.task(),
                            SqlTime.text(moved.fireTime()),
                            SqlTime.text(moved.fireTime().plus(moved.jitter())),
                            moved.jitter().toMillis()));
            all("moving", cursors.size(), update(handle, PUT, "rows", rows));
        }
    }

    /** Rewrites a condition on {@code task t} as one on {@code job_next t}. */
    public static String condition(String ofTask) {
        return ID.matcher(ofTask).replaceAll("t.task_id");
    }

    private static void all(String what, int cursors, int changed) {
        if (changed != cursors) {
            throw new IllegalStateException(
                    what + " " + cursors + " cursors under their stripe rows changed " + changed);
        }
    }
}
