package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.Outcome;
import dev.rowlock.policy.MisfireDecision;
import dev.rowlock.policy.MisfireDecision.Insert;
import dev.rowlock.policy.MisfireDecision.Missed;
import dev.rowlock.policy.MisfireDecision.Overdue;
import dev.rowlock.policy.MisfireDecision.Run;
import dev.rowlock.policy.WakeDecision.Left;
import dev.rowlock.store.history.DueTime;
import dev.rowlock.store.history.TaskHistory;
import dev.rowlock.store.history.TaskHistory.Next;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** What becomes of occurrences that were not run in time: decided for a job over all of them together. */
public final class Misfires {

    /** What is due, whoever holds it: once one of them is a misfire, nobody may fire the others as they stand. */
    private static final String OVERDUE = """
            select t.id, t.job_id, t.stripe, t.selector, t.fire_time, t.next_fire_time, t.cursor_of, t.launch_id,
                   j.version, timestampdiff(microsecond, %2$s, utc_timestamp(6)) as late
              from task t force index (one_attempt)
              join job j on j.id = t.job_id
             where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.cause = 'SCHEDULE' and t.origin = ''
               and t.state in ('IDLE', 'PREPARED') and t.due_at is not null and t.queued_at is null and %1$s
               and %2$s <= utc_timestamp(6)
             order by t.job_id, t.fire_time
            """.formatted(Needs.MET, DueTime.SCHEDULED);

    private static final String DUE_SINCE = """
            select t.job_id, timestampdiff(microsecond, min(%2$s),
                   utc_timestamp(6)) as late
              from task t force index (one_attempt)
             where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.cause = 'SCHEDULE' and t.origin = ''
               and t.state in ('IDLE', 'PREPARED') and t.due_at is not null and t.queued_at is null and %1$s
             group by t.job_id
            """.formatted(Needs.MET, DueTime.SCHEDULED);

    private static final String PREPARED = """
            select t.id, t.job_id, t.launch_id
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]', since varchar(23) path '$[1]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.id
             where t.fire_time >= cast(v.since as datetime(3)) and t.cause = 'SCHEDULE' and t.origin = ''
               and t.state = 'PREPARED' and t.queued_at is null and %s
            """.formatted(Needs.MET);

    /**
     * A subquery that a server cannot turn into a join, which might read the rows of all jobs. What was given back is
     * due later than it was. A job may say that what comes as late as that is no misfire: nothing is older than itself.
     */
    private static final String NOTHING_OLDER = """
            select v.id
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]', scheduled varchar(23) path '$[1]')) v
             where (select 1 from task t force index (one_attempt)
                     where t.job_id = v.id and t.state in ('IDLE', 'PREPARED') and t.due_at is not null
                       and (t.due_at < :before
                            or t.cause = 'SCHEDULE' and t.origin = '' and t.queued_at is null
                               and %s < least(cast(:before as datetime(3)), cast(v.scheduled as datetime(3))))
                     limit 1) is null
            """.formatted(DueTime.SCHEDULED);

    private static final String UNCHANGED = """
            select t.id
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', version int path '$[1]', is_cursor int path '$[2]',
                     launch varchar(48) character set ascii path '$[3]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where (t.state = 'IDLE' or t.state = 'PREPARED' and t.launch_id = v.launch)
               and t.due_at is not null and j.version = v.version and not %s
               and (t.cursor_of is not null) = v.is_cursor
            """.formatted(Pause.HOLDS);
    private static final String DELETE = """
            delete t from json_table(:rows, '$[*]' columns (id bigint path '$[0]')) v
                   straight_join task t force index (primary) on t.id = v.id
            """;
    private static final String CATCH_UP = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', hands_on varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.cause = 'CATCH_UP', t.due_at = utc_timestamp(3),
                   t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null,
                   t.next_fire_time = coalesce(v.hands_on, t.next_fire_time),
                   t.cursor_of = if(v.hands_on is null, t.cursor_of, null)
            """;
    private static final String INSERT = """
            insert into task (job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause, due_at, jitter_ms,
                   priority, group_name, state, cursor_of, selector)
            values (:job, :version, :stripe, :fireTime, :next, 1, :cause,
                   if(:runs, utc_timestamp(3), :due), :jitter, :priority, :group, 'IDLE', :cursorOf, :selector)
            """;

    private final Database database;
    private final Supplier<Instant> latest;

    /** @param latest while the database's clock shows a later time, nothing is overdue by it */
    public Misfires(Database database, Supplier<Instant> latest) {
        this.database = database;
        this.latest = latest;
    }

    /** How long the first occurrence of each of these jobs has been due, whether it waits or anybody prepared it. */
    public Map<Long, Duration> dueSince(Collection<Long> jobs) {
        return database.autoCommit(
                "looking for misfires",
                handle -> handle.createQuery(DUE_SINCE)
                        .bindList("jobs", List.copyOf(jobs))
                        .bind("latest", SqlTime.text(latest.get()))
                        .reduceRows(new HashMap<>(), (late, row) -> {
                            late.put(
                                    row.getColumn("job_id", Long.class),
                                    Duration.of(row.getColumn("late", Long.class), ChronoUnit.MICROS));
                            return late;
                        }));
    }

    /**
     * By job, what anybody has prepared of some that is not exempt from misfires. Under their stripe rows.
     *
     * @param since of each job, from which fire time on: all rows from then on are read
     */
    static Collection<Map<Long, LaunchId>> prepared(Handle handle, Map<Long, Instant> since) {
        Map<Long, Map<Long, LaunchId>> byJob = new HashMap<>();
        String jobs = JsonRows.of(since.entrySet(), job -> row(job.getKey(), SqlTime.text(job.getValue())));
        query(handle, PREPARED, "jobs", jobs)
                .map((row, context) -> byJob.computeIfAbsent(row.getLong("job_id"), id -> new HashMap<>())
                        .put(row.getLong("id"), new LaunchId(row.getString("launch_id"))))
                .list();
        return byJob.values();
    }

    /** Those of whose job nothing waits that was due before. */
    public List<Candidate> withNothingOlder(List<Candidate> tasks, Instant before) {
        if (tasks.isEmpty()) {
            return tasks;
        }
        Map<Long, Instant> jobs = new HashMap<>();
        tasks.stream()
                .filter(Candidate::isOccurrence) // others make up for occurrences that may be of last month
                .forEach(task -> jobs.merge(task.jobId(), task.scheduled(), (a, b) -> a.isBefore(b) ? a : b));
        tasks.forEach(task -> jobs.putIfAbsent(task.jobId(), before));
        Set<Long> free = database.autoCommit(
                "looking for older tasks of their jobs",
                handle -> handle.createQuery(NOTHING_OLDER)
                        .bind("jobs", JsonRows.of(jobs.entrySet(), j -> row(j.getKey(), SqlTime.text(j.getValue()))))
                        .bind("before", SqlTime.text(before))
                        .mapTo(Long.class)
                        .set());
        return tasks.stream().filter(task -> free.contains(task.jobId())).toList();
    }

    /** @param by how long it has been due, by the database's clock */
    public record Late(Overdue row, Duration by) {}

    /** What of these jobs is due, idle or prepared, and not exempt from misfires: by job and fire time. */
    public List<Late> overdue(Collection<Long> jobs) {
        return database.autoCommit(
                "reading overdue occurrences",
                handle -> handle.createQuery(OVERDUE)
                        .bindList("jobs", List.copyOf(jobs))
                        .bind("latest", SqlTime.text(latest.get()))
                        .map((row, context) -> {
                            row.getLong("cursor_of");
                            boolean cursor = !row.wasNull();
                            Overdue overdue = new Overdue(
                                    row.getLong("id"),
                                    row.getLong("job_id"),
                                    row.getInt("version"),
                                    row.getInt("stripe"),
                                    row.getInt("selector"),
                                    SqlTime.read(row, "fire_time"),
                                    SqlTime.readOrNull(row, "next_fire_time"),
                                    cursor,
                                    row.getString("launch_id"));
                            return new Late(overdue, Duration.of(row.getLong("late"), ChronoUnit.MICROS));
                        })
                        .list());
    }

    /**
     * Carries out these decisions in one transaction, each only if none of its rows has changed meanwhile.
     *
     * @param awaited of which jobs others may wait for what is missed: it may be a start that was given back
     * @return those that were carried out
     * @throws SessionGone our session was expired
     */
    public List<MisfireDecision> settle(String session, List<MisfireDecision> decisions, LongPredicate awaited) {
        return database.transact("settling the misfires of " + decisions.size() + " jobs", handle -> {
            Locks.stripes(
                    handle, decisions.stream().map(d -> d.first().stripe()).collect(Collectors.toSet()));
            OwnerSession.mustBeThere(handle, session);
            Set<Long> unchanged = unchanged(handle, decisions);
            List<MisfireDecision> valid = decisions.stream()
                    .filter(d -> d.rows().stream().allMatch(r -> unchanged.contains(r.id())))
                    .toList();
            record(handle, valid);
            run(handle, valid);
            insert(handle, valid);
            Waiters.wake(handle, jobs(valid.stream().filter(d -> !d.gone().isEmpty()), awaited), Left.TURN);
            return valid;
        });
    }

    private static List<Long> jobs(Stream<MisfireDecision> decisions, LongPredicate which) {
        return decisions.map(d -> d.first().jobId()).filter(which::test).toList();
    }

    private static Set<Long> unchanged(Handle handle, List<MisfireDecision> decisions) {
        List<Overdue> rows = decisions.stream().flatMap(d -> d.rows().stream()).toList();
        return new HashSet<>(handle.createQuery(UNCHANGED)
                .bind("rows", JsonRows.of(rows, r -> row(r.id(), r.version(), r.cursor() ? 1 : 0, r.launch())))
                .mapTo(Long.class)
                .list());
    }

    private static void record(Handle handle, List<MisfireDecision> decisions) {
        List<Missed> missed =
                decisions.stream().flatMap(d -> d.missed().stream()).toList();
        TaskHistory.writeNotRun(
                handle,
                missed.stream()
                        .map(m -> new NotRun(
                                m.row().id(),
                                Outcome.MISSED,
                                m.reason(),
                                null,
                                m.occurrences(),
                                m.last(),
                                new Next(m.nextFireTime())))
                        .toList());
        List<Overdue> gone = decisions.stream().flatMap(d -> d.gone().stream()).toList();
        int deleted = gone.isEmpty() ? 0 : update(handle, DELETE, "rows", JsonRows.of(gone, r -> row(r.id())));
        if (deleted != gone.size()) {
            throw new IllegalStateException("deleted " + deleted + " of " + gone.size() + " missed occurrences");
        }
    }

    private static void run(Handle handle, List<MisfireDecision> decisions) {
        List<Run> runs = decisions.stream().flatMap(d -> d.runs().stream()).toList();
        if (!runs.isEmpty()) {
            update(
                    handle,
                    CATCH_UP,
                    "rows",
                    JsonRows.of(runs, r -> row(r.row().id(), SqlTime.textOrNull(r.handsOn()))));
        }
    }

    private static void insert(Handle handle, List<MisfireDecision> decisions) {
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (MisfireDecision d : decisions) {
            for (Insert row : d.inserts()) {
                batch.bind("job", d.first().jobId())
                        .bind("version", d.first().version())
                        .bind("stripe", d.first().stripe())
                        .bind("fireTime", SqlTime.text(row.fireTime()))
                        .bind("next", SqlTime.textOrNull(row.next()))
                        .bind("cause", (row.runs() ? Cause.CATCH_UP : Cause.SCHEDULE).name())
                        .bind("runs", row.runs())
                        .bind("due", SqlTime.text(row.fireTime().plus(d.terms().jitter())))
                        .bind("jitter", d.terms().jitter().toMillis())
                        .bind("priority", d.terms().priority())
                        .bind("group", d.terms().group())
                        .bind("cursorOf", row.next() == null ? d.first().jobId() : null)
                        .bind("selector", d.first().selector())
                        .add();
            }
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }
}
