package dev.rowlock.task.rerun;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Origin;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rule.RerunDecision.Original;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Queries of what may run again, and records of what a request has made. */
public final class RerunQueries {

    /** Other row, live or ended, of an occurrence of history {@code h} that meets a condition. */
    private static final String OTHER = """
            coalesce((select o.id from task o force index (one_attempt)
                       where o.job_id = h.job_id and %1$s limit 1),
                     (select o.id from task_history o force index (by_job)
                       where o.namespace = h.namespace and o.job = h.job and o.job_id = h.job_id and %1$s limit 1))
            """;

    /** Condition on {@code o}: it repeats the row {@code h}, or is a further attempt at that. */
    private static final String REPEATS = "o.fire_time = h.last_fire_time and " + OriginSql.repeats("o", "h");
    /** Repetition of the row. The outcome of its last attempt decides whether the row may be repeated once more. */
    private static final String AGAIN = """
            coalesce((select o.id from task o force index (one_attempt)
                       where o.job_id = h.job_id and %1$s limit 1),
                     (select if(o.outcome in ('SKIPPED', 'KILLED', 'CANCELLED'), null, o.id)
                        from task_history o force index (by_job)
                       where o.namespace = h.namespace and o.job = h.job and o.job_id = h.job_id and %1$s
                       order by o.attempt desc limit 1))
            """.formatted(REPEATS);

    private static final String ATTEMPTS = """
            coalesce((select max(o.attempt) from task_history o force index (by_job)
                       where o.namespace = h.namespace and o.job = h.job and o.job_id = h.job_id and %s), 0)
            """.formatted(REPEATS);

    private static final String ORIGINAL = """
            select h.id, h.job_id, h.namespace, h.job, h.fire_time, h.last_fire_time, h.occurrences, h.origin,
                   h.outcome, h.withdrawn, exists (select 1 from job j where j.id = h.job_id) as is_there,
                   %s as later, %s as again, %s as attempts,
                   if(h.outcome = 'MISSED' and h.origin = '', %s, null) as caught_up
            """.formatted(
                    OTHER.formatted("o.fire_time = h.fire_time and o.origin = h.origin and o.attempt > h.attempt"),
                    AGAIN,
                    ATTEMPTS,
                    OTHER.formatted("o.fire_time = h.next_fire_time and o.origin = '' and o.attempt = 1"
                            + " and o.cause = 'CATCH_UP'"));

    private static final String BRANCH = """
            (select h.id, h.fire_time from task_history h force index (%s) %s%s
              order by h.fire_time, h.id limit %s offset %s)
            """;
    /** Bound on index entries for each outcome, and on rows: a second, as they lie far apart. */
    private static final int LOOKED_AT = 10_000;

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
    /** Row of a completed request. Where other rows name a task, this one says where the next request begins. */
    private static final String DONE = "select task_id from idempotency_key where job_id = 0 and idem_key = :key";

    private final Database database;

    public RerunQueries(Database database) {
        this.database = database;
    }

    /**
     * Returns where a request has to end that searches among other rows. It looks at some ten thousand of them, and at
     * all of one fire time.
     *
     * @param within only rows of these namespaces; empty: of all
     * @return the first fire time that is left for another request; empty: this one covers all
     */
    public Optional<Instant> end(RerunRequest asked, Set<String> within, Instant until) {
        if (asked.job() == null && asked.namespace() == null && within.isEmpty()) {
            return Optional.empty(); // the index knows all that is asked for
        }
        Instant since = Objects.requireNonNull(asked.since());
        return database.autoCommit("looking how far a search for what may run again goes", handle -> {
            Optional<Instant> end = entry(handle, asked, since, until, LOOKED_AT);
            return end.isPresent() && !end.get().isAfter(since)
                    ? entry(handle, asked, since.plusMillis(1), until, 0)
                    : end;
        });
    }

    /** Returns the fire time of the first entry that {@code before} others precede. Reads the index alone. */
    private static Optional<Instant> entry(
            Handle handle, RerunRequest asked, Instant since, Instant until, int before) {
        Conditions where = new Conditions();
        addWindow(where, since, until);
        boolean ofJob = addJob(where, asked);
        List<String> outcomes = ofJob ? List.of("") : ofOutcomes(asked);
        Query query = handle.createQuery("select min(fire_time) as fire_time from ("
                + outcomes.stream()
                        .map(outcome -> BRANCH.formatted(indexFor(asked), where.sql(), outcome, 1, before))
                        .collect(Collectors.joining(" union all "))
                + ") r");
        where.bind(query);
        return query.map((row, context) -> Optional.ofNullable(SqlTime.readOrNull(row, "fire_time")))
                .one();
    }

    /**
     * Returns the next rows of the request: at most {@code limit}, earliest fire time first.
     *
     * @param within only rows of these namespaces; empty: of all
     */
    public List<Original> page(
            RerunRequest asked, Set<String> within, Instant until, @Nullable TaskPosition after, int limit) {
        Conditions where = new Conditions();
        addWindow(where, Objects.requireNonNull(asked.since()), until);
        boolean ofJob = addJob(where, asked);
        where.add("h.namespace = :namespace", "namespace", ofJob ? null : asked.namespace());
        if (!within.isEmpty()) {
            where.addList("h.namespace in (<within>)", "within", List.copyOf(within));
        }
        if (after != null) {
            where.add("h.fire_time >= :afterTime", "afterTime", SqlTime.text(after.fireTime()));
            where.add("(h.fire_time > :afterTime or h.id > :afterId)", "afterId", after.id());
        }
        String branches = (ofJob ? List.of(ofAnyOutcome(asked)) : ofOutcomes(asked))
                .stream()
                        .map(outcome -> BRANCH.formatted(indexFor(asked), where.sql(), outcome, limit, 0))
                        .collect(Collectors.joining(" union all "));
        return database.autoCommit("looking for what may run again", handle -> {
            Query query =
                    handle.createQuery("select id from (" + branches + ") r order by fire_time, id limit " + limit);
            where.bind(query);
            return originals(handle, query.mapTo(Long.class).list());
        });
    }

    private static String indexFor(RerunRequest asked) {
        return asked.job() == null ? "by_outcome" : "by_job";
    }

    /** Returns one condition for each outcome, so that each is a range of the index. */
    private static List<String> ofOutcomes(RerunRequest asked) {
        return asked.outcome().stream()
                .map(outcome -> " and h.outcome = '" + outcome + "'" + thatWereToRun(outcome))
                .toList();
    }

    /**
     * Returns a condition that leaves out occurrences withdrawn before their time. Other outcomes are in the index
     * entirely.
     */
    private static String thatWereToRun(Outcome outcome) {
        return outcome == Outcome.CANCELLED ? " and not h.withdrawn" : "";
    }

    /** Returns one condition for all outcomes: a walk along the rows of a job is enough. */
    private static String ofAnyOutcome(RerunRequest asked) {
        return asked.outcome().stream()
                .map(outcome -> "'" + outcome + "'")
                .collect(Collectors.joining(", ", " and h.outcome in (", ") and not h.withdrawn"));
    }

    static List<Original> originals(Handle handle, Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : query(handle, BY_ID, "ids", JsonRows.ids(ids))
                        .map((row, context) -> original(row))
                        .list();
    }

    /** Returns the tasks made under a key by their originals, as far as they are still known. */
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

    /** Returns those of these tasks that are in history, earliest fire time first. */
    public List<Original> originals(Collection<Long> ids) {
        return database.autoCommit("reading what ran again", handle -> originals(handle, ids));
    }

    /**
     * Completed request.
     *
     * @param nextSince the first fire time that it left to another one; null: none
     */
    public record CompletedRerun(@Nullable Instant nextSince) {}

    /** Returns how a request with this key was completed; empty: it was not. */
    public Optional<CompletedRerun> done(String key) {
        return database.autoCommit(
                        "looking whether a request was carried out",
                        handle -> query(handle, DONE, "key", key)
                                .mapTo(Long.class)
                                .findOne())
                .map(millis -> new CompletedRerun(millis == 0 ? null : Instant.ofEpochMilli(millis)));
    }

    /** Returns the hash of the first request under this key; that of this one if it is the first. */
    public String body(String key, String asked) {
        return database.transact("noting what a request asks for", handle -> {
            update(handle, REMEMBER, "key", key + "=", "task", Long.parseUnsignedLong(asked.substring(0, 15), 16));
            long first = query(handle, DONE, "key", key + "=").mapTo(Long.class).one();
            return asked.startsWith(String.format(Locale.ROOT, "%015x", first)) ? asked : "";
        });
    }

    /** Notes that a request was completed. */
    public void done(String key, @Nullable Instant nextSince) {
        database.transact(
                "noting that a request was carried out",
                handle ->
                        update(handle, REMEMBER, "key", key, "task", nextSince == null ? 0 : nextSince.toEpochMilli()));
    }

    /** Returns whether such a job exists or existed, as far as history reaches. */
    public boolean isKnown(JobKey job) {
        return new TaskQueries(database).isKnown(job);
    }

    /** Notes a task that a request made, in the transaction that makes it. */
    static void remember(Handle handle, String key, long original, long task) {
        update(handle, REMEMBER, "key", key + ":" + original, "task", task);
    }

    private static void addWindow(Conditions where, Instant since, Instant until) {
        where.add("h.fire_time >= :since", "since", SqlTime.text(since));
        where.add("h.fire_time < :until", "until", SqlTime.text(until));
    }

    /** Adds the conditions of a job, and returns false if the request is about no single one. */
    private static boolean addJob(Conditions where, RerunRequest asked) {
        JobKey key = asked.key();
        if (key == null) {
            return false;
        }
        where.add("h.namespace = :jobNamespace", "jobNamespace", key.namespace());
        where.add("h.job = :job", "job", key.name());
        return true;
    }

    private static Original original(ResultSet row) throws SQLException {
        return new Original(
                row.getLong("id"),
                row.getLong("job_id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                SqlTime.read(row, "fire_time"),
                SqlTime.read(row, "last_fire_time"),
                row.getLong("occurrences"),
                Origin.of(row.getString("origin")),
                Outcome.read(row.getString("outcome")),
                row.getBoolean("is_there"),
                task(row, "later"),
                task(row, "again"),
                row.getInt("attempts"),
                task(row, "caught_up"),
                row.getBoolean("withdrawn"));
    }

    private static @Nullable Long task(ResultSet row, String column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() ? null : id;
    }
}
