package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Retry;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.task.Cause;
import dev.rowlock.task.history.DueTime;
import dev.rowlock.task.rule.DueAgain;
import dev.rowlock.task.rule.DueAgain.Before;
import dev.rowlock.task.rule.DueAgain.DueFacts;
import dev.rowlock.task.store.SmallDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Correction of idle tasks that may be due too late, as the database's clock was ahead when they were made or given
 * back.
 */
public final class LateTasks {

    private static final String COLUMNS = """
            select t.id, t.stripe, t.due_at, t.cause, t.failures, cast(t.losses as signed) - t.stops as losses,
                   t.origin = '' and t.attempt = 1 as occurrence, %1$s as scheduled, h.id as before_it, h.ended_at,
                   j.namespace, j.name, if(t.cause = 'RETRY', %2$s, null) as definition
              from task t force index (%%s)
              left join job j on j.id = t.job_id
              left join task_history h force index (by_job)
                on t.attempt > 1 and h.namespace = j.namespace and h.job = j.name and h.fire_time = t.fire_time
                   and h.job_id = t.job_id and h.origin = t.origin and h.attempt = t.attempt - 1
             where t.state = 'IDLE' and t.hold is null and not (t.origin = '' and t.attempt = 1 and t.due_at <= %1$s)
            """.formatted(DueTime.SCHEDULED, SmallDefinition.of("j.definition"));
    private static final String OF_JOB = COLUMNS.formatted("one_attempt") + " and t.job_id = :job and t.due_at > :now";
    private static final String ALL =
            COLUMNS.formatted("due") + " and t.idle = 1 and t.due_at > :now + interval 60 second";
    /** Condition on a cursor {@code job_next t}. */
    private static final String IS_LATE = "t.hold is null and t.due_at > " + DueTime.SCHEDULED;

    private static final int BATCH = 500;

    private static final String MOVE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', was varchar(23) character set ascii path '$[1]',
                     due_at varchar(23) character set ascii path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = v.due_at, t.not_before = if(t.not_before is null, null, v.due_at)
             where t.state = 'IDLE' and t.hold is null and t.due_at = v.was
            """;

    /** Cursors whose occurrence is due later than scheduled; few are. */
    private static final String CURSORS = """
            select t.task_id, t.stripe from job_next t force index (due)
             where t.due_at > :now + interval 60 second and %s
            """.formatted(IS_LATE);

    private static final String MOVE_CURSORS = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
               set t.due_at = greatest(%s, cast(:now as datetime(3)))
             where %s
            """.formatted(DueTime.SCHEDULED, IS_LATE);
    private static final String MOVE_CURSOR_OF_JOB = """
            update job_next t
               set t.due_at = greatest(%s, cast(:now as datetime(3)))
             where t.job_id = :job and t.due_at > :now and %s
            """.formatted(DueTime.SCHEDULED, IS_LATE);

    private LateTasks() {}

    private record DelayedTask(
            long id, int stripe, DueFacts facts, @Nullable Retry retry) {

        Instant dueAt(Instant now) {
            return DueAgain.of(facts, retry, now);
        }

        boolean isToBeMoved(Instant now) {
            return dueAt(now).isBefore(facts.dueAt());
        }
    }

    /** Corrects the tasks of one job, under its stripe row. */
    static void putRight(Handle handle, long job, Instant now) {
        update(handle, MOVE_CURSOR_OF_JOB, "job", job, "now", SqlTime.text(now));
        move(
                handle,
                query(handle, OF_JOB, "job", job, "now", SqlTime.text(now))
                        .map((row, context) -> read(row))
                        .list(),
                now);
    }

    /** Corrects the tasks of all jobs, in batches. What is due within a minute is left: it hardly differs. */
    public static void putRight(Database database) {
        Instant now = database.autoCommit("reading the database's time", SqlTime::now);
        putCursorsRight(database, now);
        @Nullable DuePosition after = DuePosition.at(now);
        while (after != null) {
            String sql = ALL + after.behind() + " order by " + DuePosition.ORDER_BY + " limit " + BATCH;
            List<DelayedTask> found = database.autoCommit(
                    "looking for what is due too late",
                    handle -> query(handle, sql, "now", SqlTime.text(now))
                            .map((row, context) -> read(row))
                            .list());
            List<DelayedTask> late =
                    found.stream().filter(task -> task.isToBeMoved(now)).toList();
            if (!late.isEmpty()) {
                database.transact("making due what was asked for too late", handle -> {
                    Locks.stripes(handle, late.stream().map(DelayedTask::stripe).collect(Collectors.toSet()));
                    return move(handle, late, now);
                });
            }
            after = found.size() < BATCH ? null : position(found.get(BATCH - 1));
        }
    }

    private static void putCursorsRight(Database database, Instant now) {
        Map<Long, Integer> late = database.autoCommit(
                "looking for cursors that are due too late",
                handle -> query(handle, CURSORS, "now", SqlTime.text(now))
                        .map((row, context) -> Map.entry(row.getLong("task_id"), row.getInt("stripe")))
                        .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
        if (!late.isEmpty()) {
            database.transact("making cursors due that were due too late", handle -> {
                Locks.stripes(handle, Set.copyOf(late.values()));
                return update(handle, MOVE_CURSORS, "ids", JsonRows.ids(late.keySet()), "now", SqlTime.text(now));
            });
        }
    }

    private static DuePosition position(DelayedTask row) {
        return new DuePosition(row.facts().dueAt(), row.stripe(), row.id());
    }

    private static int move(Handle handle, List<DelayedTask> tasks, Instant now) {
        List<DelayedTask> late =
                tasks.stream().filter(task -> task.isToBeMoved(now)).toList();
        return late.isEmpty()
                ? 0
                : update(
                        handle,
                        MOVE,
                        "rows",
                        JsonRows.of(
                                late,
                                task -> row(
                                        task.id(), SqlTime.text(task.facts().dueAt()), SqlTime.text(task.dueAt(now)))));
    }

    private static DelayedTask read(ResultSet row) throws SQLException {
        @Nullable Instant ended = SqlTime.readOrNull(row, "ended_at");
        DueFacts facts = new DueFacts(
                Cause.read(row.getString("cause")),
                row.getBoolean("occurrence"),
                SqlTime.read(row, "scheduled"),
                SqlTime.read(row, "due_at"),
                row.getLong("failures"),
                row.getLong("losses"),
                ended == null ? null : new Before(row.getLong("before_it"), ended));
        return new DelayedTask(row.getLong("id"), row.getInt("stripe"), facts, retry(row));
    }

    private static @Nullable Retry retry(ResultSet row) throws SQLException {
        @Nullable String definition = row.getString("definition");
        if (definition == null) {
            return null;
        }
        JobKey key = new JobKey(row.getString("namespace"), row.getString("name"));
        StoredDefinition stored = StoredDefinition.read(key, definition, false);
        return stored.foreign().containsKey("retry")
                ? null
                : stored.definition().retry();
    }
}
