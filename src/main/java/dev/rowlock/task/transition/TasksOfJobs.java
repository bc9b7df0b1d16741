package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.rule.Jitter;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.JobAtVersion;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.SelectorStore;
import dev.rowlock.task.store.TaskColumns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Live tasks of some jobs, under the stripe rows of all of them: one statement for each kind of change, however many
 * jobs there are. Executing rows are never touched.
 */
public final class TasksOfJobs {

    private static final String OF_JOBS = """
            json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job""";
    private static final String CURSORS = """
            json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join job_next t force index (primary) on t.job_id = v.job""";
    private static final String LIVE = """
            select %s
              from %s
             union all
            select %s
              from %s
             order by job_id, fire_ms, id
            """.formatted(TaskColumns.OF_TASK, OF_JOBS, TaskColumns.OF_CURSOR, CURSORS);
    /** Bound on tasks of several jobs that are read at once. */
    private static final int MOST_LIVE = 20_000;

    private static final String UNPREPARE = """
            update %s
               set t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null
             where t.state = 'PREPARED'
            """.formatted(OF_JOBS);
    private static final String ADOPT_CURSORS = """
            update json_table(:rows, '$[*]' columns (job bigint path '$[0]', version int path '$[1]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job
               set t.job_version = v.version, t.due_at = if(%s, utc_timestamp(3), t.due_at)
            """.formatted(HoldStore.is(Hold.FREEZE));
    private static final String ADOPT = """
            update json_table(:rows, '$[*]' columns (job bigint path '$[0]', version int path '$[1]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job
               set t.job_version = v.version
             where t.state <> 'EXECUTING'
            """;
    /** Update that leaves the due times of tasks behind their fire times alone: a change never fires the past. */
    private static final String STAMP = """
            update json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', priority smallint path '$[1]',
                     group_name varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[2]',
                     jitter bigint path '$[3]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job
               set t.priority = v.priority, t.group_name = v.group_name,
                   t.due_at = if(t.due_at is not null and %1$s, t.fire_time + interval v.jitter * 1000 microsecond,
                      t.due_at),
                   t.jitter_ms = if(%1$s, v.jitter, t.jitter_ms)
             where t.state <> 'EXECUTING' and not %2$s
               and not (t.priority = v.priority and t.group_name <=> v.group_name and t.jitter_ms = v.jitter)
            """.formatted(
                    "(t.state = 'IDLE' and t.fire_time > :now and t.origin = '' and t.attempt = 1"
                            + " and t.cause = 'SCHEDULE')",
                    OriginSql.isBackfill("t"));

    private static final String STAMP_CURSORS = """
            update json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', priority smallint path '$[1]',
                     group_name varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[2]',
                     jitter bigint path '$[3]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job
               set t.priority = v.priority, t.group_name = v.group_name,
                   t.due_at = if(t.due_at is not null and t.fire_time > :now,
                      t.fire_time + interval v.jitter * 1000 microsecond, t.due_at),
                   t.jitter_ms = if(t.fire_time > :now, v.jitter, t.jitter_ms)
             where not (t.priority = v.priority and t.group_name <=> v.group_name and t.jitter_ms = v.jitter)
            """;

    private static final String ELSEWHERE = """
            select t.job_id, t.selector
              from json_table(:rows, '$[*]' columns (job bigint path '$[0]', selector int path '$[1]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job
             where t.state <> 'EXECUTING' and t.selector <> v.selector
             union
            select t.job_id, t.selector
              from json_table(:rows, '$[*]' columns (job bigint path '$[0]', selector int path '$[1]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job
             where t.selector <> v.selector
            """;
    private static final String PLACE_CURSORS = """
            update json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', was int path '$[1]', selector int path '$[2]')) v
              straight_join job_next t force index (primary) on t.job_id = v.job and t.selector = v.was
               set t.selector = v.selector
            """;
    private static final String PLACE = """
            update json_table(:rows, '$[*]' columns (
                     job bigint path '$[0]', was int path '$[1]', selector int path '$[2]')) v
              straight_join task t force index (one_attempt) on t.job_id = v.job and t.selector = v.was
               set t.selector = v.selector
             where t.state <> 'EXECUTING'
            """;
    /** What a freeze held keeps its hold, so that all that came due of its job meanwhile is decided together. */
    private static final String DECIDE_AGAIN =
            """
            update %1$s
               set t.due_at = utc_timestamp(3), t.hold = if(%3$s, t.hold, null),
                   t.hold_reason = if(%3$s, t.hold_reason, null)
             where t.state = 'IDLE' and %2$s
            """.formatted(OF_JOBS, HoldStore.BY_POLICY, "t.hold <=> '" + Hold.FREEZE + "'");

    private static final String AWAIT_NOTHING = """
            delete w from %s
              straight_join task_wait w on w.task_id = t.id
            """.formatted(OF_JOBS);
    private static final String PARK = """
            update %s
               set t.due_at = null, %s
             where t.state = 'IDLE' and (t.hold is null or %s) and %s and t.started_at is null
            """.formatted(OF_JOBS, HoldStore.PAUSED, HoldStore.BY_POLICY, PauseSql.CONCERNS);
    private static final String PARK_CURSORS = """
            update %s
               set t.due_at = null, %s
             where t.hold is null or %s
            """.formatted(CURSORS, HoldStore.PAUSED, HoldStore.BY_POLICY);
    private static final String UNPARK_CURSORS =
            """
            update %s
               set t.due_at = %s, t.hold = null, t.hold_reason = null
             where %s
            """.formatted(CURSORS, Asides.OCCURRENCE_DUE_AGAIN, HoldStore.is(Hold.PAUSE));
    private static final String UNPARK = """
            update %s
               set t.due_at = %s, t.hold = null, t.hold_reason = null
             where t.state = 'IDLE' and %s
            """.formatted(OF_JOBS, Asides.DUE_AGAIN, HoldStore.is(Hold.PAUSE));

    private TasksOfJobs() {}

    /** Makes prepared tasks idle, without a claim: the session that prepared them notices when it wants to fire. */
    public static void unprepare(Handle handle, Collection<Long> jobs) {
        update(handle, UNPREPARE, "jobs", JsonRows.ids(jobs));
    }

    /** Returns all tasks of a job, its cursor included, by fire time. */
    public static List<Task> live(Handle handle, long job) {
        return query(handle, LIVE, "jobs", JsonRows.ids(List.of(job)))
                .map((row, context) -> TaskColumns.read(row))
                .list();
    }

    /** Returns all tasks of several jobs; empty: they are too many to be held in memory together. */
    public static Optional<Map<Long, List<Task>>> live(Handle handle, Collection<Long> jobs) {
        SizedRows<Task> found = SizedRows.read(
                query(handle, LIVE, "jobs", JsonRows.ids(jobs)),
                (row, context) -> TaskColumns.read(row),
                task -> 1,
                MOST_LIVE);
        if (found.cut()) {
            return Optional.empty();
        }
        Map<Long, List<Task>> live = new HashMap<>();
        jobs.forEach(job -> live.put(job, new ArrayList<>()));
        found.rows()
                .forEach(task -> Objects.requireNonNull(live.get(task.jobId())).add(task));
        return Optional.of(live);
    }

    /** Assigns the tasks that are not executing to this version, and retries those that were set aside. */
    public static void adopt(Handle handle, Collection<JobAtVersion> jobs) {
        String rows = JsonRows.of(jobs, job -> row(job.jobId(), job.version()));
        update(handle, ADOPT, "rows", rows);
        update(handle, ADOPT_CURSORS, "rows", rows);
        List<Long> ids = jobs.stream().map(JobAtVersion::jobId).toList();
        decideAgain(handle, ids);
        Asides.free(handle, ids);
    }

    /** Stamps the priority and the group of its job on what does not execute, and the jitter on what lies ahead. */
    public static void stamp(Handle handle, Map<Long, JobDefinition> jobs, Instant now) {
        String rows = JsonRows.of(
                jobs.entrySet(),
                job -> row(
                        job.getKey(),
                        job.getValue().priority(),
                        job.getValue().group(),
                        Jitter.offset(job.getValue()).toMillis()));
        update(handle, STAMP, "rows", rows, "now", SqlTime.text(now));
        update(handle, STAMP_CURSORS, "rows", rows, "now", SqlTime.text(now));
    }

    /** Places the tasks that are not executing on these nodes; a run on one certain node stays with it. */
    public static void placeOn(Handle handle, Map<Long, Selector> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        Map<Selector, Integer> ids = SelectorStore.idsOf(handle, jobs.values());
        List<Placed> elsewhere = query(
                        handle,
                        ELSEWHERE,
                        "rows",
                        JsonRows.of(jobs.entrySet(), job -> row(job.getKey(), ids.get(job.getValue()))))
                .map((row, context) -> new Placed(row.getLong("job_id"), row.getInt("selector")))
                .list();
        if (elsewhere.isEmpty()) {
            return;
        }
        Set<Integer> numbers = new HashSet<>();
        elsewhere.forEach(placed -> numbers.add(placed.selector()));
        Map<Integer, Selector> known = SelectorStore.read(handle, numbers);
        Map<Placed, Selector> to = new HashMap<>();
        for (Placed placed : elsewhere) {
            Selector was = Objects.requireNonNull(known.get(placed.selector()));
            to.put(placed, was.sameNode(Objects.requireNonNull(jobs.get(placed.job()))));
        }
        Map<Selector, Integer> numbersTo = SelectorStore.idsOf(handle, to.values());
        String rows =
                JsonRows.of(elsewhere, placed -> row(placed.job(), placed.selector(), numbersTo.get(to.get(placed))));
        update(handle, PLACE, "rows", rows);
        update(handle, PLACE_CURSORS, "rows", rows);
    }

    /** Tasks of a job that certain nodes may run. */
    private record Placed(long job, int selector) {}

    /** Has the tasks that wait by policy decided again: what they waited for may be gone, or no longer required. */
    public static void decideAgain(Handle handle, Collection<Long> jobs) {
        String ids = JsonRows.ids(jobs);
        if (update(handle, DECIDE_AGAIN, "jobs", ids) > 0) {
            update(handle, AWAIT_NOTHING, "jobs", ids);
        }
    }

    /** Holds the tasks that a pause concerns and that nothing but policies hold. */
    public static void park(Handle handle, Collection<Long> jobs) {
        if (!jobs.isEmpty()) {
            update(handle, PARK, "jobs", JsonRows.ids(jobs));
            update(handle, PARK_CURSORS, "jobs", JsonRows.ids(jobs));
        }
    }

    /** Releases what was held: occurrences at their fire time, retries and recoveries now. */
    public static void unpark(Handle handle, Collection<Long> jobs) {
        if (!jobs.isEmpty()) {
            update(handle, UNPARK, "jobs", JsonRows.ids(jobs));
            update(handle, UNPARK_CURSORS, "jobs", JsonRows.ids(jobs));
        }
    }
}
