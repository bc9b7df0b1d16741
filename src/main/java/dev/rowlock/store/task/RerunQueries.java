package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.RerunRequest;
import dev.rowlock.job.TaskFilter.Position;
import dev.rowlock.policy.RerunDecision.Original;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Finds what may run again, and remembers what a request has made. */
public final class RerunQueries {

    /** Of an occurrence of history {@code h}: the task of another row, live or ended, that meets a condition. */
    private static final String OTHER = """
            coalesce((select o.id from task o force index (one_attempt)
                       where o.job_id = h.job_id and %1$s limit 1),
                     (select o.id from task_history o force index (by_job)
                       where o.namespace = h.namespace and o.job = h.job and o.job_id = h.job_id and %1$s limit 1))
            """;

    private static final String ORIGINAL = """
            select h.id, h.job_id, h.namespace, h.job, h.fire_time, h.last_fire_time, h.occurrences, h.origin,
                   h.outcome, exists (select 1 from job j where j.id = h.job_id) as is_there,
                   %s as later, %s as again,
                   if(h.outcome = 'MISSED' and h.origin = '', %s, null) as caught_up
            """.formatted(
                    OTHER.formatted("o.fire_time = h.fire_time and o.origin = h.origin and o.attempt > h.attempt"),
                    OTHER.formatted("o.fire_time = h.last_fire_time and o.attempt = 1 and (o.origin ="
                            + " concat('run:again-', h.id) or h.origin like 'node:%' and o.origin ="
                            + " concat(substring_index(h.origin, '#', 1), '#-', lower(conv(h.id, 10, 36))))"),
                    OTHER.formatted("o.fire_time = h.next_fire_time and o.origin = '' and o.attempt = 1"
                            + " and o.cause = 'CATCH_UP'"));

    private static final String OF_OUTCOME = """
            (select h.id, h.fire_time from task_history h force index (%s) %s and h.outcome = '%s'
              order by h.fire_time, h.id limit %d)
            """;
    private static final String BY_ID = ORIGINAL + """
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_history h force index (primary) on h.id = v.id
             order by h.fire_time, h.id
            """;

    private static final String MADE = """
            select cast(substring_index(idem_key, ':', -1) as unsigned) as original, task_id from idempotency_key
             where job_id = 0 and idem_key >= :from and idem_key < :to
            """;
    private static final String REMEMBER = """
            insert ignore into idempotency_key (job_id, idem_key, task_id, created_at)
            values (0, :key, :task, utc_timestamp(3))
            """;
    private static final String IS_DONE = "select count(*) from idempotency_key where job_id = 0 and idem_key = :key";

    private final Database database;

    public RerunQueries(Database database) {
        this.database = database;
    }

    /**
     * The next of what the request is about: at most {@code limit} rows, earliest fire time first.
     *
     * @param within only what is of these namespaces; empty: of all
     */
    public List<Original> page(
            RerunRequest asked, Set<String> within, Instant until, @Nullable Position after, int limit) {
        return database.autoCommit("looking for what may run again", handle -> {
            Conditions where = conditions(asked, until, after);
            if (!within.isEmpty()) {
                where.addList("h.namespace in (<within>)", "within", List.copyOf(within));
            }
            List<String> branches = new ArrayList<>();
            for (Outcome outcome : asked.outcome()) {
                branches.add(OF_OUTCOME.formatted(
                        asked.job() == null ? "by_outcome" : "by_job", where.sql(), outcome, limit));
            }
            Query query = handle.createQuery("select id from (" + String.join(" union all ", branches)
                    + ") r order by fire_time, id limit " + limit);
            where.bind(query);
            return originals(handle, query.mapTo(Long.class).list());
        });
    }

    static List<Original> originals(Handle handle, Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : query(handle, BY_ID, "ids", JsonRows.ids(ids))
                        .map((row, context) -> original(row))
                        .list();
    }

    /** What was made under a key, as far as it is still known: the task by its original. */
    public Map<Long, Long> made(String key) {
        return database.autoCommit("reading what was made under a key", handle -> made(handle, key));
    }

    static Map<Long, Long> made(Handle handle, String key) {
        Map<Long, Long> made = new HashMap<>();
        query(handle, MADE, "from", key + ":", "to", key + ";")
                .map((row, context) -> made.put(row.getLong("original"), row.getLong("task_id")))
                .list();
        return made;
    }

    /** These tasks, as far as they are in history, earliest fire time first. */
    public List<Original> originals(Collection<Long> ids) {
        return database.autoCommit("reading what ran again", handle -> originals(handle, ids));
    }

    /** Whether a request with this key was carried out to its end. */
    public boolean isDone(String key) {
        return database.autoCommit(
                "looking whether a request was carried out",
                handle ->
                        query(handle, IS_DONE, "key", key).mapTo(Integer.class).one() > 0);
    }

    /** Notes that a request was carried out to its end. */
    public void done(String key) {
        database.transact(
                "noting that a request was carried out", handle -> update(handle, REMEMBER, "key", key, "task", 0));
    }

    /** Notes, in the transaction that makes it, a task that a request made. */
    static void remember(Handle handle, String key, long original, long task) {
        update(handle, REMEMBER, "key", key + ":" + original, "task", task);
    }

    private static Conditions conditions(RerunRequest asked, Instant until, @Nullable Position after) {
        Conditions where = new Conditions();
        where.add("h.fire_time >= :since", "since", SqlTime.text(Objects.requireNonNull(asked.since())));
        where.add("h.fire_time < :until", "until", SqlTime.text(until));
        JobKey key = asked.key();
        where.add("h.namespace = :namespace", "namespace", key == null ? asked.namespace() : key.namespace());
        where.add("h.job = :job", "job", key == null ? null : key.name());
        if (after != null) {
            where.add("h.fire_time >= :afterTime", "afterTime", SqlTime.text(after.fireTime()));
            where.add("(h.fire_time > :afterTime or h.id > :afterId)", "afterId", after.id());
        }
        return where;
    }

    private static Original original(ResultSet row) throws SQLException {
        return new Original(
                row.getLong("id"),
                row.getLong("job_id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                SqlTime.read(row, "fire_time"),
                SqlTime.read(row, "last_fire_time"),
                row.getLong("occurrences"),
                row.getString("origin"),
                Outcome.valueOf(row.getString("outcome")),
                row.getBoolean("is_there"),
                task(row, "later"),
                task(row, "again"),
                task(row, "caught_up"));
    }

    private static @Nullable Long task(ResultSet row, String column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() ? null : id;
    }
}
