package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Idle → prepared. */
public final class Acquire {

    private static final String SCAN = """
            (select t.id, t.job_id, t.shard, t.fire_time, t.due_at, t.jitter_ms,
                   t.queued_at is not null as queued, t.cause, t.cursor_of, j.version
               from task t join job j on j.id = t.job_id
              where t.state = 'IDLE' and t.due_at <= utc_timestamp(6) + interval :anyone microsecond
                and (t.waits_for is null or t.due_at <= utc_timestamp(6)) and %3$s%1$s
              order by %2$s limit :batch)
            """;
    private static final String SCAN_OWN = """
            union all
            (select t.id, t.job_id, t.shard, t.fire_time, t.due_at, t.jitter_ms,
                   t.queued_at is not null as queued, t.cause, t.cursor_of, j.version
               from task t join job j on j.id = t.job_id
              where t.state = 'IDLE' and t.due_at > utc_timestamp(6) + interval :anyone microsecond
                and t.due_at <= utc_timestamp(6) + interval :own microsecond and t.shard in (<shards>)
                and t.waits_for is null and %3$s%1$s
              order by %2$s limit :batch)
            """;
    /** One row that is no candidate, for what {@link Start#overdue} finds now or soon. */
    private static final String OTHERS_DUE = """
            union all
            (select 0, 0, 0, t.fire_time, t.due_at, 0, 0, t.cause, null, 0
               from task t
              where t.state = 'PREPARED' and t.due_at >= :floor and t.due_at <= utc_timestamp(6)
                and t.session_id <> :session and %s
              order by t.due_at limit 1)
            """.formatted(Needs.MET);

    private static final String STILL_THERE = """
            select t.id
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', version int path '$[1]', fire_time varchar(23) path '$[2]',
                     is_cursor int path '$[3]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where t.state = 'IDLE' and t.due_at is not null and j.version = v.version and t.fire_time = v.fire_time
               and (t.cursor_of is not null) = v.is_cursor and not %s
            """.formatted(Pause.HOLDS);
    private static final String PREPARE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]', version int path '$[2]',
                     next_fire_time varchar(23) path '$[3]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.state = 'PREPARED', t.launch_id = v.launch, t.session_id = :session,
                   t.prepared_at = utc_timestamp(3), t.job_version = v.version, t.waits_for = null,
                   t.next_fire_time = if(t.cursor_of is null, t.next_fire_time, v.next_fire_time),
                   t.cursor_of = null
             where t.state = 'IDLE'
            """;
    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, next_fire_time, attempt, cause, due_at,
                   jitter_ms, state, launch_id, session_id, prepared_at, cursor_of, priority, group_name)
            values (:job, :version, :shard, :fireTime, :next, 1, 'SCHEDULE', :due, :jitter, :state, :launch, :session,
                   :preparedAt, :cursorOf, :priority, :group)
            """;

    private final Database database;

    public Acquire(Database database) {
        this.database = database;
    }

    /**
     * What to scan.
     *
     * @param floor nothing that others hold and was due before is read, so that rows that are not purged yet cost
     *     nothing
     * @param from where the scan for idle tasks begins, for the same reason
     * @param anyone how far ahead tasks of any shard are found
     * @param own how far ahead those of {@code shards} are
     */
    public record Scan(
            Instant floor,
            DuePosition from,
            Duration anyone,
            Duration own,
            Collection<Integer> shards,
            int batch,
            LeftOut leftOut) {}

    /**
     * What was found.
     *
     * @param candidates tasks that could be acquired, soonest first
     * @param end up to where all was found; null: this is all there is
     * @param othersDue since when another session holds a prepared task that is due; null: none does
     */
    public record Found(
            List<Candidate> candidates,
            @Nullable DuePosition end,
            @Nullable Instant othersDue) {}

    /**
     * Finds idle tasks whose time comes, and whether there is something to take over, in one statement.
     *
     * @param self the session that asks; null: nothing is to be taken over
     */
    public Found scan(Scan scan, @Nullable String self) {
        return database.autoCommit("looking for due tasks", handle -> {
            String tasks = SCAN + (scan.shards().isEmpty() ? "" : SCAN_OWN);
            String conditions = scan.from().behind() + scan.leftOut().conditions("j.version");
            String sql =
                    tasks.formatted(conditions, DuePosition.ORDER_BY, Needs.MET) + (self == null ? "" : OTHERS_DUE);
            var query = query(handle, sql, "anyone", micros(scan.anyone()), "batch", scan.batch());
            if (!scan.shards().isEmpty()) {
                query.bind("own", micros(scan.own())).bindList("shards", List.copyOf(scan.shards()));
            }
            if (self != null) {
                query.bind("session", self).bind("floor", SqlTime.text(scan.floor()));
            }
            List<Candidate> found = query.map((row, context) -> candidate(row)).list();
            List<Candidate> candidates = found.stream()
                    .filter(c -> c.id() != 0)
                    .sorted(DuePosition.ORDER)
                    .toList();
            return new Found(
                    candidates,
                    candidates.size() < scan.batch() ? null : DuePosition.of(candidates.get(scan.batch() - 1)),
                    found.stream()
                            .filter(c -> c.id() == 0)
                            .map(Candidate::dueAt)
                            .findFirst()
                            .orElse(null));
        });
    }

    /**
     * Prepares what is still idle and unchanged of these tasks, in one transaction.
     *
     * @param now when they are prepared, by the database's clock
     * @return what was prepared; the others were taken, edited or paused by somebody else
     * @throws SessionGone our session was expired
     */
    public List<PreparedTask> acquire(String session, List<Acquisition> wanted, Instant now) {
        return database.transact("acquiring " + wanted.size() + " tasks", handle -> {
            Locks.shards(handle, wanted.stream().map(a -> a.task().shard()).collect(Collectors.toSet()));
            OwnerSession.mustBeThere(handle, session);
            Set<Long> there = stillThere(handle, wanted);
            List<Acquisition> taken =
                    wanted.stream().filter(a -> there.contains(a.task().id())).toList();
            prepare(handle, session, taken);
            return insert(handle, session, taken, now);
        });
    }

    private static Set<Long> stillThere(Handle handle, List<Acquisition> wanted) {
        return new HashSet<>(handle.createQuery(STILL_THERE)
                .bind(
                        "rows",
                        JsonRows.of(
                                wanted,
                                a -> row(
                                        a.task().id(),
                                        a.task().version(),
                                        SqlTime.text(a.task().fireTime()),
                                        a.task().cursor() ? 1 : 0)))
                .mapTo(Long.class)
                .list());
    }

    private static void prepare(Handle handle, String session, List<Acquisition> taken) {
        if (taken.isEmpty()) {
            return;
        }
        int prepared = handle.createUpdate(PREPARE)
                .bind("session", session)
                .bind(
                        "rows",
                        JsonRows.of(
                                taken,
                                a -> row(
                                        a.task().id(),
                                        a.launch().text(),
                                        a.task().version(),
                                        SqlTime.textOrNull(a.nextFireTime()))))
                .execute();
        if (prepared != taken.size()) {
            throw new IllegalStateException("prepared " + prepared + " of " + taken.size() + " locked tasks");
        }
    }

    private static List<PreparedTask> insert(Handle handle, String session, List<Acquisition> taken, Instant now) {
        List<PreparedTask> result = new ArrayList<>();
        List<Row> rows = new ArrayList<>();
        for (Acquisition a : taken) {
            Candidate task = a.task();
            result.add(new PreparedTask(
                    task.id(),
                    task.jobId(),
                    task.version(),
                    task.shard(),
                    task.dueAt(),
                    a.launch(),
                    a.terms().priority()));
            for (int i = 0; i < a.further().size(); i++) {
                Acquisition.Further further = a.further().get(i);
                rows.add(new Row(a, further.fireTime(), a.nextFireTimeAfter(i), further.launch()));
            }
        }
        List<Row> cursors = taken.stream()
                .filter(a -> a.task().cursor() && a.nextCursor() != null)
                .map(a -> new Row(a, Objects.requireNonNull(a.nextCursor()), null, null))
                .toList();
        List<Row> all = new ArrayList<>(rows);
        all.addAll(cursors);
        if (all.isEmpty()) {
            return result;
        }
        List<Long> ids = insertRows(handle, session, all, now);
        for (int i = 0; i < rows.size(); i++) {
            Row r = rows.get(i);
            result.add(new PreparedTask(
                    ids.get(i),
                    r.job().jobId(),
                    r.job().version(),
                    r.job().shard(),
                    r.dueAt(),
                    Objects.requireNonNull(r.launch),
                    r.from.terms().priority()));
        }
        return result;
    }

    private static List<Long> insertRows(Handle handle, String session, List<Row> rows, Instant now) {
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (Row r : rows) {
            boolean prepared = r.launch != null;
            batch.bind("job", r.job().jobId())
                    .bind("version", r.job().version())
                    .bind("shard", r.job().shard())
                    .bind("fireTime", SqlTime.text(r.fireTime))
                    .bind("next", SqlTime.textOrNull(r.next))
                    .bind("due", SqlTime.text(r.dueAt()))
                    .bind("jitter", r.from.terms().jitter().toMillis())
                    .bind("priority", r.from.terms().priority())
                    .bind("group", r.from.terms().group())
                    .bind("state", prepared ? "PREPARED" : "IDLE")
                    .bind("launch", r.launch == null ? null : r.launch.text())
                    .bind("session", prepared ? session : null)
                    .bind("preparedAt", prepared ? SqlTime.text(now) : null)
                    .bind("cursorOf", prepared ? null : r.job().jobId())
                    .add();
        }
        List<Long> ids = batch.executePreparedBatch("id").mapTo(Long.class).list();
        if (ids.size() != rows.size()) {
            throw new IllegalStateException("inserted " + rows.size() + " tasks but was told " + ids.size() + " ids");
        }
        return ids;
    }

    /** A task to be inserted; idle and with the cursor when it has no launch id. */
    private record Row(
            Acquisition from,
            Instant fireTime,
            @Nullable Instant next,
            @Nullable LaunchId launch) {

        Candidate job() {
            return from.task();
        }

        Instant dueAt() {
            return fireTime.plus(from.terms().jitter());
        }
    }

    private static Candidate candidate(ResultSet row) throws SQLException {
        row.getLong("cursor_of");
        boolean cursor = !row.wasNull();
        return new Candidate(
                row.getLong("id"),
                row.getLong("job_id"),
                row.getInt("version"),
                row.getInt("shard"),
                SqlTime.read(row, "fire_time"),
                SqlTime.read(row, "due_at"),
                Duration.ofMillis(row.getLong("jitter_ms")),
                row.getBoolean("queued"),
                Cause.valueOf(row.getString("cause")),
                cursor);
    }

    static long micros(Duration d) {
        return d.toNanos() / 1000;
    }
}
