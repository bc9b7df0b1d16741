package dev.rowlock.task.backfill;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.task.backfill.BackfillTasks.JobTerms;
import dev.rowlock.task.rule.Selector;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Queries of backfills, and the deletion of old ones. */
public final class BackfillQueries {

    /** Condition that fire times of some backfill wait. */
    public static final String ANY = "exists (select 1 from backfill where ended_at is null)";

    /** Backfills of which fire times wait; those that have as many under way as may be are none to look at. */
    private static final String OPEN = """
            select b.id, b.job_id from backfill b force index (by_end)
              left join job j on j.id = b.job_id
             where b.ended_at is null and b.id > :after
               and (b.cancelled_at is not null or j.id is null or not j.paused)
               and (b.cancelled_at is not null
                    or (select count(distinct t.fire_time) from task t force index (one_attempt)
                         where t.job_id = b.job_id and t.fire_time >= b.from_at and t.fire_time < b.until_at
                           and t.origin = concat('backfill:', b.id)
                           and (t.state <> 'IDLE' or t.cause = 'BACKFILL')) < b.parallel)
             order by b.id limit :most
            """;

    private static final String STATES = """
            select cast(v.fire_time as datetime(3)) as fire_time,
                   exists (select 1 from task t force index (one_attempt)
                            where t.job_id = :id and t.fire_time = cast(v.fire_time as datetime(3)))
                   or exists (select 1 from backfill b force index (by_job)
                               straight_join backfill_time w force index (primary)
                                  on w.backfill_id = b.id and w.fire_time = cast(v.fire_time as datetime(3))
                               where b.namespace = :namespace and b.job = :job and b.job_id = :id
                                 and b.ended_at is null and not w.made)
                   or exists (select 1 from job_next c force index (primary)
                               where c.job_id = :id and c.fire_time <= cast(v.fire_time as datetime(3))) as live,
                   exists (select 1 from task_history h force index (by_job)
                            where h.namespace = :namespace and h.job = :job
                              and h.fire_time = cast(v.fire_time as datetime(3)) and h.job_id = :id
                              and h.outcome = 'SUCCEEDED') as succeeded,
                   exists (select 1 from task_history h force index (by_job)
                            where h.namespace = :namespace and h.job = :job
                              and h.fire_time = cast(v.fire_time as datetime(3)) and h.job_id = :id
                              and h.outcome = 'SKIPPED' and h.started_at is not null) as declined
              from json_table(:rows, '$[*]' columns (fire_time varchar(23) character set ascii path '$[0]')) v
            """;
    private static final String OUTCOMES = """
            select h.outcome, count(*) as n
              from backfill_time w force index (by_turn)
              straight_join task_history h force index (by_job)
                on h.namespace = :namespace and h.job = :job and h.fire_time = w.fire_time and h.job_id = :job_id
               and h.origin = :origin
             where w.backfill_id = :id and w.made
               and not exists (select 1 from task_history n force index (by_job)
                                where n.namespace = :namespace and n.job = :job and n.fire_time = w.fire_time
                                  and n.job_id = :job_id and n.origin = :origin and n.attempt > h.attempt)
               and not exists (select 1 from task t force index (one_attempt)
                                where t.job_id = :job_id and t.fire_time = w.fire_time and t.origin = :origin)
             group by h.outcome
            """;
    private static final String LIVE = """
            select coalesce(sum(t.state = 'EXECUTING'), 0) as executing, count(*) as live,
                   max(t.hold_reason) as hold_reason
              from task t force index (one_attempt)
             where t.job_id = :job_id and t.fire_time >= :from and t.fire_time < :until and t.origin = :origin
            """;
    private static final String WAITING = """
            select count(*) as n, min(w.fire_time) as oldest, max(w.fire_time) as newest,
                   (select j.paused from job j where j.id = :job_id) as paused
              from backfill_time w force index (by_turn) where w.backfill_id = :id and not w.made
            """;
    private static final String LAST_VERSION =
            "select version from job_version where job_id = :job order by version desc limit 1";

    private static final String ABANDON = "update backfill set ended_at = utc_timestamp(3) where id = :id";
    private static final String OLD =
            "select id from backfill force index (by_end) where ended_at < :before order by ended_at, id limit 1";

    private static final String DELETE_TIMES = "delete from backfill_time where backfill_id = :id limit :most";
    private static final String DELETE = "delete from backfill where id = :id";

    private final Database database;

    public BackfillQueries(Database database) {
        this.database = database;
    }

    /** Backfill to go on with, and its job. */
    public record OpenBackfill(long id, long job) {}

    /**
     * Returns backfills of which something may be started or cancelled, oldest first.
     *
     * @param after only those with a higher id
     */
    public List<OpenBackfill> open(long after, int most) {
        return database.autoCommit(
                "looking for backfills",
                handle -> query(handle, OPEN, "after", after, "most", most)
                        .map((row, context) -> new OpenBackfill(row.getLong("id"), row.getLong("job_id")))
                        .list());
    }

    /** State of a fire time of a job. */
    public record FireTimeState(Instant fireTime, boolean live, boolean succeeded, boolean declined) {}

    /** Returns the states of these fire times. */
    public List<FireTimeState> states(long job, JobKey key, Collection<Instant> fireTimes) {
        return database.autoCommit(
                "looking at the fire times of a backfill", handle -> states(handle, job, key, fireTimes));
    }

    static List<FireTimeState> states(Handle handle, long job, JobKey key, Collection<Instant> fireTimes) {
        return query(handle, STATES, "rows", JsonRows.of(fireTimes, time -> row(SqlTime.text(time))))
                .bind("id", job)
                .bind("namespace", key.namespace())
                .bind("job", key.name())
                .map((row, context) -> new FireTimeState(
                        SqlTime.read(row, "fire_time"),
                        row.getBoolean("live"),
                        row.getBoolean("succeeded"),
                        row.getBoolean("declined")))
                .list();
    }

    /**
     * Progress of a backfill.
     *
     * @param waiting how many fire times wait for their turn
     * @param live how many tasks wait or execute
     * @param executing how many of these execute
     * @param outcomes how many fire times ended with each outcome, after all attempts
     * @param next the fire time whose turn is next; null: none waits
     * @param reason why a task of it waits, or the freeze that keeps one from being made; null: nothing holds it
     */
    public record BackfillProgress(
            int waiting,
            int live,
            int executing,
            Map<String, Integer> outcomes,
            @Nullable Instant next,
            boolean paused,
            @Nullable String reason) {}

    public Optional<Backfill> find(long id) {
        return database.autoCommit(
                "reading a backfill",
                handle -> query(
                                handle,
                                "select " + BackfillRows.COLUMNS + " from backfill b where b.id = :id",
                                "id",
                                id)
                        .map((row, context) -> BackfillRows.read(row))
                        .findOne());
    }

    /**
     * Returns backfills, the newest first.
     *
     * @param within only those of these namespaces; empty: of all
     * @param before only those with a lower id; null: all
     */
    public List<Backfill> list(
            Set<String> within, @Nullable String namespace, @Nullable String job, @Nullable Long before, int most) {
        Conditions where = new Conditions();
        where.add("b.namespace = :namespace", "namespace", namespace);
        where.add("b.job = :job", "job", job);
        where.add("b.id < :before", "before", before);
        if (!within.isEmpty()) {
            where.addList("b.namespace in (<within>)", "within", List.copyOf(within));
        }
        return database.autoCommit("reading backfills", handle -> {
            Query query = handle.createQuery("select " + BackfillRows.COLUMNS + " from backfill b " + where.sql()
                    + " order by b.id desc limit " + most);
            where.bind(query);
            return query.map((row, context) -> BackfillRows.read(row)).list();
        });
    }

    public BackfillProgress progress(Backfill backfill) {
        return database.autoCommit("reading the progress of a backfill", handle -> progress(handle, backfill));
    }

    private static BackfillProgress progress(Handle handle, Backfill backfill) {
        Map<String, Integer> outcomes = new LinkedHashMap<>();
        query(handle, OUTCOMES, "id", backfill.id(), "job_id", backfill.jobId())
                .bind("namespace", backfill.key().namespace())
                .bind("job", backfill.key().name())
                .bind("origin", backfill.origin().text())
                .map((row, context) -> outcomes.put(row.getString("outcome"), row.getInt("n")))
                .list();
        List<Integer> live = new ArrayList<>();
        List<@Nullable String> reason = new ArrayList<>();
        query(
                        handle,
                        LIVE,
                        "job_id",
                        backfill.jobId(),
                        "origin",
                        backfill.origin().text())
                .bind("from", SqlTime.text(backfill.from()))
                .bind("until", SqlTime.text(backfill.until()))
                .map((row, context) -> {
                    live.add(row.getInt("live"));
                    live.add(row.getInt("executing"));
                    return reason.add(row.getString("hold_reason"));
                })
                .one();
        boolean newestFirst = backfill.order() == BackfillRequest.FireTimeOrder.NEWEST_FIRST;
        return query(handle, WAITING, "id", backfill.id(), "job_id", backfill.jobId())
                .map((row, context) -> new BackfillProgress(
                        row.getInt("n"),
                        live.get(0),
                        live.get(1),
                        outcomes,
                        SqlTime.readOrNull(row, newestFirst ? "newest" : "oldest"),
                        row.getBoolean("paused"),
                        reason.get(0) == null && row.getInt("n") > 0 ? frozen(handle, backfill) : reason.get(0)))
                .one();
    }

    private static @Nullable String frozen(Handle handle, Backfill backfill) {
        return FreezeStore.covering(handle, backfill.key())
                .map(freezes -> freezes.last().said())
                .orElse(null);
    }

    /** Ends some of what waits of a backfill whose job was deleted, as rows of history. */
    public void endOfDeletedJob(OpenBackfill open) {
        database.transact("ending backfill " + open.id() + " of a deleted job", handle -> {
            Locks.stripes(handle, Set.of(Locks.stripeOf(open.job())));
            return query(handle, LAST_VERSION, "job", open.job())
                    .mapTo(Integer.class)
                    .findOne()
                    .map(version -> {
                        JobTerms terms = new JobTerms(open.job(), version, Selector.parse(""), null);
                        BackfillTasks tasks = new BackfillTasks(handle, terms, SqlTime.now(handle));
                        tasks.open(open.id())
                                .ifPresent(backfill -> tasks.endWaiting(backfill, List.of(), "the job was deleted"));
                        return version;
                    })
                    .orElseGet(() -> update(handle, ABANDON, "id", open.id()));
        });
    }

    /**
     * Deletes a batch of what belongs to a backfill that ended before a time.
     *
     * @return whether there may be more
     */
    public boolean delete(Instant before, int most) {
        return database.transact("deleting old backfills", handle -> {
            Optional<Long> id = query(handle, OLD, "before", SqlTime.text(before))
                    .mapTo(Long.class)
                    .findOne();
            if (id.isPresent() && update(handle, DELETE_TIMES, "id", id.get(), "most", most) < most) {
                update(handle, DELETE, "id", id.get());
            }
            return id.isPresent();
        });
    }
}
