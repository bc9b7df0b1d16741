package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Hold;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.DueTime;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.PauseSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Tasks that the database refused: set aside as idle, due at no time, and held by {@link Hold#ERROR}. Each has a row in
 * {@code task_aside}, from which any node retries it, at intervals that double from ten seconds to an hour. One that
 * was started ran on a node that was lost: its loss is recorded.
 */
public final class Asides {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(1);

    /** Condition on {@code task t}: it is set aside. */
    static final String IS_ASIDE = "t.state = 'IDLE' and t.due_at is null and " + HoldStore.is(Hold.ERROR);

    /** Condition on a cursor {@code job_next t}: it is set aside. */
    private static final String CURSOR_IS_ASIDE = "t.due_at is null and " + HoldStore.is(Hold.ERROR);

    private static final String NOTE = """
            insert into task_aside (task_id, job_id, times, since, look_at)
            select t.id, t.job_id, 1, utc_timestamp(3), utc_timestamp(3) + interval :first second
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
             where %s
             union all
            select t.task_id, t.job_id, 1, utc_timestamp(3), utc_timestamp(3) + interval :first second
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
             where %s
            on duplicate key update look_at = utc_timestamp(3)
                     + interval cast(least(:most, :first * pow(2, least(task_aside.times, 20))) as signed) second,
                   times = least(task_aside.times + 1, 1000000)
            """.formatted(IS_ASIDE, CURSOR_IS_ASIDE);
    /** Query in the order of the index, so that no more is read than is returned. */
    private static final String ALL = """
            select a.task_id, a.look_at, a.look_at <= utc_timestamp(3) as due, coalesce(t.stripe, c.stripe) as stripe,
                   coalesce(t.hold_reason, c.hold_reason) as hold_reason, j.namespace, j.name,
                   t.started_at is not null as lost, coalesce(%s, %s, false) as aside
              from task_aside a force index (by_look)
              left join task t on t.id = a.task_id
              left join job_next c on c.task_id = a.task_id
              left join job j on j.id = coalesce(t.job_id, c.job_id)
             order by a.look_at limit :most
            """.formatted(IS_ASIDE, CURSOR_IS_ASIDE.replace("t.", "c."));

    private static final String FORGET = """
            delete a from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', look_at varchar(23) character set ascii path '$[1]')) v
              straight_join task_aside a on a.task_id = v.id
             where a.look_at = v.look_at
            """;
    private static final String LATER = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_aside a on a.task_id = v.id
               set a.look_at = utc_timestamp(3) + interval cast(least(:most,
                      :first * pow(2, least(a.times, 20) - 1)) as signed) second
            """;
    /** Due time of a scheduled {@code task t}, or of a cursor {@code job_next t}, that is let go. */
    static final String OCCURRENCE_DUE_AGAIN =
            "greatest(" + DueTime.SCHEDULED + ", utc_timestamp(3) - interval 60 second)";
    /**
     * Due time of a task that is let go. A scheduled one is due at its time again, but no earlier than a scan reaches
     * back. A further attempt waits for the rest of its backoff. Everything else is due now.
     */
    static final String DUE_AGAIN = """
            if(t.origin = '' and t.attempt = 1 and t.cause in ('SCHEDULE', 'CATCH_UP'),
               %s,
               greatest(utc_timestamp(3), coalesce(t.not_before, utc_timestamp(3))))""".formatted(OCCURRENCE_DUE_AGAIN);

    private static final String FREE = """
              left join job j on j.id = t.job_id
               set %s
             where %s and t.started_at is null
            """.formatted(PauseSql.orDue(DUE_AGAIN), IS_ASIDE);
    private static final String FREE_THESE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
            """ + FREE;
    private static final String FREE_JOBS = """
            update json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job
            """ + FREE;
    private static final String FREE_CURSOR =
            """
              straight_join job j on j.id = t.job_id
               set t.due_at = if(j.paused, null, %s), %s
             where %s
            """.formatted(OCCURRENCE_DUE_AGAIN, HoldStore.pauseAssignments("j.paused"), CURSOR_IS_ASIDE);
    private static final String FREE_THESE_CURSORS = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
            """ + FREE_CURSOR;
    private static final String FREE_CURSORS_OF_JOBS = """
            update json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join job_next t force index (primary) on t.job_id = v.job
            """ + FREE_CURSOR;
    private static final String TRY_NOW = """
            update json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join task_aside a force index (by_job) on a.job_id = v.job
               set a.look_at = utc_timestamp(3)
            """;
    private static final String LOST = """
            select t.id, t.job_id, t.job_version, t.stripe, t.hold_reason
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
             where %s and t.started_at is not null
            """.formatted(IS_ASIDE);

    private final Database database;
    private final Finish finish;

    /** @param finish records the losses that could not be recorded before */
    public Asides(Database database, Finish finish) {
        this.database = database;
        this.finish = finish;
    }

    /**
     * Task that is, or was, set aside.
     *
     * @param aside false: it has gone on since
     * @param due it is to be retried by now
     * @param lost it ran on a node that was lost
     * @param why the error that its row notes
     */
    public record Aside(
            long task, int stripe, JobKey job, boolean aside, boolean due, boolean lost, String why, Instant nextTry) {}

    /** Returns the tasks to be retried next, soonest first. Takes no lock. */
    public List<Aside> next(int most) {
        return database.autoCommit(
                "looking for tasks that are set aside",
                handle -> query(handle, ALL, "most", most)
                        .map((row, context) -> read(row))
                        .list());
    }

    /** Forgets those of these that are no longer set aside. */
    public void forget(Collection<Aside> gone) {
        if (!gone.isEmpty()) {
            database.autoCommit(
                    "forgetting what was set aside",
                    handle -> update(
                            handle, FORGET, "rows", JsonRows.of(gone, a -> row(a.task(), SqlTime.text(a.nextTry())))));
        }
    }

    /**
     * Retries these: what was not started is due, unless its job is paused; of the others, the loss is recorded. What
     * is refused once more waits longer.
     */
    public void takeUp(Collection<Aside> due) {
        if (due.isEmpty()) {
            return;
        }
        database.transact("taking up " + due.size() + " tasks that were set aside", handle -> {
            Locks.stripes(handle, due.stream().map(Aside::stripe).collect(Collectors.toSet()));
            String ids = JsonRows.ids(due.stream().map(Aside::task).toList());
            update(handle, LATER, "ids", ids, "first", FIRST.toSeconds(), "most", LONGEST.toSeconds());
            update(handle, FREE_THESE, "ids", ids);
            update(handle, FREE_THESE_CURSORS, "ids", ids);
            new Losses(handle, finish, null).record(lost(handle, ids));
            return due.size();
        });
    }

    /** Postpones a task that could not even be retried. */
    public void refusedAgain(Aside aside) {
        database.transact("leaving task " + aside.task() + " set aside", handle -> {
            Locks.stripes(handle, Set.of(aside.stripe()));
            note(handle, List.of(aside.task()));
            return aside;
        });
    }

    /**
     * Lets tasks of these jobs go on now if they were not started, and retries the rest next. Call under the stripe
     * rows of the jobs.
     */
    static int free(Handle handle, Collection<Long> jobs) {
        String ids = JsonRows.ids(jobs);
        int freed = update(handle, FREE_JOBS, "jobs", ids) + update(handle, FREE_CURSORS_OF_JOBS, "jobs", ids);
        update(handle, TRY_NOW, "jobs", ids);
        return freed;
    }

    /** Notes these tasks as set aside. Call within the transaction that sets them aside. */
    static void note(Handle handle, Collection<Long> tasks) {
        handle.createUpdate(NOTE)
                .bind("ids", JsonRows.ids(tasks))
                .bind("first", FIRST.toSeconds())
                .bind("most", LONGEST.toSeconds())
                .execute();
    }

    private static List<Ending> lost(Handle handle, String ids) {
        return query(handle, LOST, "ids", ids)
                .map((row, context) -> Ending.without(
                        new TaskRef(
                                row.getLong("id"),
                                row.getLong("job_id"),
                                row.getInt("job_version"),
                                row.getInt("stripe"),
                                null),
                        Outcome.LOST,
                        "its node was lost, or its result refused; this could not be recorded before: "
                                + row.getString("hold_reason")))
                .list();
    }

    private static Aside read(ResultSet row) throws SQLException {
        boolean aside = row.getBoolean("aside");
        String namespace = row.getString("namespace");
        return new Aside(
                row.getLong("task_id"),
                row.getInt("stripe"),
                namespace == null ? DELETED : new JobKey(namespace, row.getString("name")),
                aside,
                row.getBoolean("due"),
                row.getBoolean("lost"),
                aside ? row.getString("hold_reason") : "",
                SqlTime.read(row, "look_at"));
    }

    /** Placeholder for a deleted job whose tasks are still to be recorded. */
    private static final JobKey DELETED = new JobKey("", "");
}
