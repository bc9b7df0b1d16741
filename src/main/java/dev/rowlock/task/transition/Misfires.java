package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.DueTime;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.history.TaskHistory.NextLink;
import dev.rowlock.task.history.TaskHistory.NotRun;
import dev.rowlock.task.rule.MisfireDecision;
import dev.rowlock.task.rule.MisfireDecision.CatchUpRun;
import dev.rowlock.task.rule.MisfireDecision.Insert;
import dev.rowlock.task.rule.MisfireDecision.MisfireRules;
import dev.rowlock.task.rule.MisfireDecision.Missed;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.OwnerSession;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.SessionGone;
import dev.rowlock.task.store.TaskColumns;
import dev.rowlock.task.store.Waiters;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Misfires: occurrences that were not run in time, decided for a job over all of them together. */
public final class Misfires {

    /**
     * Query of all that is due, whoever holds it: once one of them is a misfire, nobody may fire the others as they
     * stand.
     */
    private static final String OVERDUE = """
            (select %3$s, timestampdiff(microsecond, %2$s, utc_timestamp(6)) as late
              from task t force index (one_attempt)
              join job j on j.id = t.job_id
             where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.origin = ''
               and t.state in ('IDLE', 'PREPARED') and t.due_at is not null
               and (t.cause = 'SCHEDULE' and t.queued_at is null and not %5$s
                    or t.cause in ('SCHEDULE', 'CATCH_UP') and %5$s
                       and (t.due_at <= utc_timestamp(6) or t.job_id in (<thawed>)))
               and %1$s and %2$s <= utc_timestamp(6))
            union all
            (select %4$s, timestampdiff(microsecond, %2$s, utc_timestamp(6))
              from job_next t force index (primary)
             where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.due_at is not null and %1$s
               and %2$s <= utc_timestamp(6)
               and (not %5$s or t.due_at <= utc_timestamp(6) or t.job_id in (<thawed>)))
             order by job_id, fire_ms
            """.formatted(
                    FeatureLevel.MET,
                    DueTime.SCHEDULED,
                    TaskColumns.ofTask("j.version"),
                    TaskColumns.OF_CURSOR,
                    "coalesce(" + HoldStore.is(Hold.FREEZE) + ", false)");

    private static final String DUE_SINCE = """
            select d.job_id, timestampdiff(microsecond, min(d.scheduled), utc_timestamp(6)) as late
              from (select t.job_id, %2$s as scheduled
                      from task t force index (one_attempt)
                     where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.cause = 'SCHEDULE'
                       and t.origin = '' and t.state in ('IDLE', 'PREPARED') and t.due_at is not null
                       and t.queued_at is null and %1$s
                    union all
                    select t.job_id, %2$s
                      from job_next t force index (primary)
                     where utc_timestamp(6) <= :latest and t.job_id in (<jobs>) and t.due_at is not null and %1$s) d
             group by d.job_id
            """.formatted(FeatureLevel.MET, DueTime.SCHEDULED);

    private static final String PREPARED = """
            select t.id, t.job_id, t.launch_id
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]', since varchar(23) path '$[1]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.id
             where t.fire_time >= cast(v.since as datetime(3)) and t.cause = 'SCHEDULE' and t.origin = ''
               and t.state = 'PREPARED' and t.queued_at is null and %s
            """.formatted(FeatureLevel.MET);

    /**
     * Subquery that a server cannot turn into a join, which might read the rows of all jobs. A task that was given back
     * is due later than it was. Where a job tolerates more lateness than that, nothing counts as older than itself.
     */
    private static final String NOTHING_OLDER = """
            select v.id
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]', scheduled varchar(23) path '$[1]')) v
             where (select 1 from task t force index (one_attempt)
                     where t.job_id = v.id and t.state in ('IDLE', 'PREPARED') and t.due_at is not null
                       and (t.due_at < :before
                            or t.cause = 'SCHEDULE' and t.origin = '' and t.queued_at is null
                               and %1$s < least(cast(:before as datetime(3)), cast(v.scheduled as datetime(3))))
                     limit 1) is null
               and (select 1 from job_next t force index (primary)
                     where t.job_id = v.id and t.due_at is not null
                       and (t.due_at < :before
                            or %1$s < least(cast(:before as datetime(3)), cast(v.scheduled as datetime(3))))
                     limit 1) is null
            """.formatted(DueTime.SCHEDULED);

    private static final String UNCHANGED = """
            select t.id
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', version int path '$[1]',
                     launch varchar(48) character set ascii path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where (t.state = 'IDLE' or t.state = 'PREPARED' and t.launch_id = v.launch)
               and t.due_at is not null and j.version = v.version and not %s
            """.formatted(PauseSql.HOLDS);
    private static final String DELETE = """
            delete t from json_table(:rows, '$[*]' columns (id bigint path '$[0]')) v
                   straight_join task t force index (primary) on t.id = v.id
            """;
    private static final String CATCH_UP = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', next varchar(23) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.cause = 'CATCH_UP', t.due_at = utc_timestamp(3),
                   t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null,
                   t.next_fire_time = coalesce(v.next, t.next_fire_time)
            """;
    /** Transition of what a freeze held: what it waited for is over, and it is no misfire. */
    private static final String THAW = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', next varchar(23) character set ascii path '$[1]',
                     freeze varchar(200) character set utf8mb4 path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.hold = null, t.hold_reason = null, t.waited_for = v.freeze,
                   t.queued_at = coalesce(t.queued_at, utc_timestamp(3)),
                   t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null,
                   t.next_fire_time = coalesce(v.next, t.next_fire_time)
            """;

    private static final String THAW_CURSORS = """
            update json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (primary) on t.job_id = v.id
               set t.hold = null, t.hold_reason = null
             where %s
            """.formatted(HoldStore.is(Hold.FREEZE));
    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause, due_at,
                   jitter_ms, priority, group_name, state, selector, queued_at, waited_for)
            values (:id, :job, :version, :stripe, :fireTime, :next, 1, :cause, utc_timestamp(3), :jitter,
                   :priority, :group, 'IDLE', :selector, if(:freeze is null, null, utc_timestamp(3)), :freeze)
            """;

    private final Database database;
    private final Supplier<Instant> latest;

    /** @param latest while the database's clock shows a later time, nothing is overdue by it */
    public Misfires(Database database, Supplier<Instant> latest) {
        this.database = database;
        this.latest = latest;
    }

    /**
     * Returns how long the first occurrence of each of these jobs has been due, whether it waits or anybody prepared
     * it.
     */
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
     * Returns, by job, the tasks not exempt from misfires that anybody has prepared. Call under their stripe rows.
     *
     * @param since fire time of each job from which on all rows are read
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

    /** Returns the tasks in whose job nothing waits that was due before. */
    public List<Task> withNothingOlder(List<Task> tasks, Instant before) {
        if (tasks.isEmpty()) {
            return tasks;
        }
        Map<Long, Instant> jobs = new HashMap<>();
        tasks.stream()
                .filter(Task::mayMisfire) // others make up for occurrences that may be of last month
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

    /**
     * Late occurrence.
     *
     * @param by how long it has been due, by the database's clock
     */
    public record LateOccurrence(Task row, Duration by) {}

    /**
     * Returns the due tasks of these jobs, idle or prepared, that are not exempt from misfires, by job and fire time.
     *
     * @param thawed the jobs of which what a freeze holds counts as due, too: that it is over may not have reached it
     */
    public List<LateOccurrence> overdue(Collection<Long> jobs, Collection<Long> thawed) {
        return database.autoCommit(
                "reading overdue occurrences",
                handle -> handle.createQuery(OVERDUE)
                        .bindList("jobs", List.copyOf(jobs))
                        .bindList("thawed", thawed.isEmpty() ? List.of(0L) : List.copyOf(thawed))
                        .bind("latest", SqlTime.text(latest.get()))
                        .map((row, context) -> new LateOccurrence(
                                TaskColumns.read(row), Duration.of(row.getLong(TaskColumns.NEXT), ChronoUnit.MICROS)))
                        .list());
    }

    /** Freezes by which misfires were decided. */
    public enum FreezesAsked {
        /** None, as this node had heard of none: a decision counts only if there never was one. */
        NONE,
        ALL
    }

    /** Returns the freezes that were in force at some time since then. */
    public List<Freeze> freezesSince(Instant first, Instant now) {
        return database.autoCommit("reading past freezes", handle -> FreezeStore.overlapping(handle, first, now));
    }

    /**
     * Carries out these decisions in one transaction, each only if none of its rows has changed meanwhile.
     *
     * @param freezes by which freezes they were made
     * @param awaited jobs in which others may wait for what is missed: it may be a start that was given back
     * @return those that were carried out
     * @throws SessionGone our session was expired
     */
    public List<MisfireDecision> settle(
            String session, List<MisfireDecision> decisions, FreezesAsked freezes, LongPredicate awaited) {
        return database.transact("settling the misfires of " + decisions.size() + " jobs", handle -> {
            Set<Integer> stripes =
                    decisions.stream().map(d -> d.first().stripe()).collect(Collectors.toSet());
            long rules = Locks.lock(handle, stripes).rules();
            Locks.changeWhereNeeded(handle, stripes);
            OwnerSession.mustBeThere(handle, session);
            if (freezes == FreezesAsked.NONE && rules > 0) {
                return List.of();
            }
            List<MisfireDecision> valid = handOn(handle, unchanged(handle, decisions));
            record(handle, valid);
            run(handle, valid);
            insert(handle, valid);
            thawCursors(handle, valid);
            Waiters.wake(handle, jobs(valid.stream().filter(d -> !d.gone().isEmpty()), awaited), FreedResource.TURN);
            return valid;
        });
    }

    private static List<Long> jobs(Stream<MisfireDecision> decisions, LongPredicate which) {
        return decisions.map(d -> d.first().jobId()).filter(which::test).toList();
    }

    /** Returns the decisions none of whose tasks has changed; cursors are checked when they are moved. */
    private static List<MisfireDecision> unchanged(Handle handle, List<MisfireDecision> decisions) {
        List<Task> rows = decisions.stream()
                .flatMap(d -> d.rows().stream())
                .filter(r -> !r.cursor())
                .toList();
        Set<Long> unchanged = rows.isEmpty()
                ? Set.of()
                : query(
                                handle,
                                UNCHANGED,
                                "rows",
                                JsonRows.of(
                                        rows,
                                        r -> row(r.id(), r.version(), r.ref().launchText())))
                        .mapTo(Long.class)
                        .set();
        return decisions.stream()
                .filter(d -> d.rows().stream().allMatch(r -> r.cursor() || unchanged.contains(r.id())))
                .toList();
    }

    /** Moves cursors, each leaving a task, and returns the decisions none of whose cursors had been moved meanwhile. */
    private static List<MisfireDecision> handOn(Handle handle, List<MisfireDecision> decisions) {
        List<Cursors.Move> moves = decisions.stream()
                .flatMap(d -> d.atCursor().stream()
                        .map(at -> new Cursors.Move(
                                at.jobId(),
                                at.id(),
                                at.version(),
                                at.fireTime(),
                                d.cursor(),
                                d.rules().terms().jitter())))
                .toList();
        Set<Long> moved = Cursors.moveOnWithTasks(handle, moves);
        return decisions.stream()
                .filter(d -> d.atCursor().isEmpty() || moved.contains(d.first().jobId()))
                .toList();
    }

    private static void record(Handle handle, List<MisfireDecision> decisions) {
        List<Missed> missed =
                decisions.stream().flatMap(d -> d.missed().stream()).toList();
        TaskHistory.writeNotRun(
                handle,
                missed.stream()
                        .map(m -> new NotRun(
                                m.row().id(),
                                m.outcome(),
                                m.reason(),
                                null,
                                m.occurrences(),
                                m.last(),
                                new NextLink(m.nextFireTime())))
                        .toList());
        List<Task> gone = decisions.stream().flatMap(d -> d.gone().stream()).toList();
        int deleted = gone.isEmpty() ? 0 : update(handle, DELETE, "rows", JsonRows.of(gone, r -> row(r.id())));
        if (deleted != gone.size()) {
            throw new IllegalStateException("deleted " + deleted + " of " + gone.size() + " missed occurrences");
        }
    }

    private static void run(Handle handle, List<MisfireDecision> decisions) {
        List<CatchUpRun> runs = decisions.stream()
                .filter(d -> d.rules().frozen() == null)
                .flatMap(d -> d.runs().stream())
                .toList();
        if (!runs.isEmpty()) {
            update(handle, CATCH_UP, "rows", JsonRows.of(runs, r -> row(r.row().id(), SqlTime.textOrNull(r.next()))));
        }
        List<List<@Nullable Object>> thawed = decisions.stream()
                .filter(d -> d.rules().frozen() != null)
                .flatMap(d -> d.runs().stream()
                        .map(r -> row(r.row().id(), SqlTime.textOrNull(r.next()), waitedFor(d.rules()))))
                .toList();
        if (!thawed.isEmpty()) {
            update(handle, THAW, "rows", JsonRows.of(thawed, row -> row));
        }
    }

    private static @Nullable String waitedFor(MisfireRules rules) {
        @Nullable String freeze = rules.freeze();
        return freeze == null ? null : HoldStore.text(Hold.FREEZE, freeze);
    }

    /** Lifts the hold of cursors that a freeze held, and that have moved to what came due after it, or is not due. */
    private static void thawCursors(Handle handle, List<MisfireDecision> decisions) {
        List<Long> jobs = jobs(
                decisions.stream()
                        .filter(d -> d.rules().frozen() != null && d.atCursor().isPresent() && !d.staysHeld()),
                job -> true);
        if (!jobs.isEmpty()) {
            update(handle, THAW_CURSORS, "jobs", JsonRows.ids(jobs));
        }
    }

    private static void insert(Handle handle, List<MisfireDecision> decisions) {
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (MisfireDecision d : decisions) {
            for (Insert row : d.inserts()) {
                batch.bind("id", TaskIds.next(handle))
                        .bind("job", d.first().jobId())
                        .bind("version", d.first().version())
                        .bind("stripe", d.first().stripe())
                        .bind("fireTime", SqlTime.text(row.fireTime()))
                        .bind("next", SqlTime.textOrNull(row.next()))
                        .bind("jitter", d.rules().terms().jitter().toMillis())
                        .bind("priority", d.rules().terms().priority())
                        .bind("group", d.rules().terms().group())
                        .bind("cause", (d.rules().frozen() == null ? Cause.CATCH_UP : Cause.SCHEDULE).name())
                        .bind("freeze", waitedFor(d.rules()))
                        .bind("selector", d.first().selector())
                        .add();
            }
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }
}
