package dev.rowlock.task.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.rule.WakeDecision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Queries of live tasks of jobs whose policy needs them, under their stripe rows. A hundred thousand may wait; mostly
 * the executing ones and the earliest of the others suffice.
 */
final class LiveTasks {

    private static final String SELECT = "select " + TaskColumns.OF_TASK + "\n";
    private static final String SELECT_CURSOR = "select " + TaskColumns.OF_CURSOR + "\n";

    private static final String JOBS = "json_table(:jobs, '$[*]' columns (id bigint path '$')) v";
    private static final String ALL = SELECT + """
              from %s
              straight_join task t force index (one_attempt) on t.job_id = v.id
             union all
            """.formatted(JOBS) + SELECT_CURSOR + """
              from %s
              straight_join job_next t force index (primary) on t.job_id = v.id
            """.formatted(JOBS);
    /**
     * Query that finds executing tasks by their session, which waiting ones lack. The earliest of the others is found
     * by its fire time, in the order of the index: MySQL would sort all of them if the job were not named in it. The
     * limit makes the server find it once for each job.
     */
    private static final String FIRST = SELECT + """
              from %1$s
              straight_join session s
              straight_join task t force index (held) on t.session_id = s.id and t.job_id = v.id
             where t.state = 'EXECUTING'
            union all
            """.formatted(JOBS) + SELECT + """
              from (select v.id, (select t.fire_time from task t force index (one_attempt)
                                   where t.job_id = v.id and %2$s
                                   order by t.job_id, t.fire_time limit 1) as fire_time
                      from %1$s limit 100000) f
              straight_join task t force index (one_attempt) on t.job_id = f.id and t.fire_time = f.fire_time
             where %2$s
            """.replace("%1$s", JOBS);

    private static final String NOT_APART = "t.hold not in " + Hold.listOf(Trait.APART);

    /**
     * Condition that it could start before the claimed ones, which are bound: a text of its own each time would be
     * parsed.
     */
    private static final String COMES = "t.state <> 'EXECUTING' and (t.hold is null or " + NOT_APART
            + ") and find_in_set(t.id, :claimed) = 0 and not " + OriginSql.isBackfill("t");
    /** Condition that it waits for its turn; what waits of a backfill stands behind all others, and looks by itself. */
    private static final String WAITS = "t.state <> 'EXECUTING' and not " + OriginSql.isBackfill("t") + " and ("
            + NOT_APART + " or t.hold is null and (t.queued_at is not null or t.cause in ('RETRY', 'RECOVERY')))";

    static final String NEXT = FIRST.replace("%2$s", WAITS);
    /**
     * Query that includes cursors. A cursor is behind everything else of its job: it comes first where nothing else
     * comes.
     */
    private static final String IN_THE_WAY = FIRST.replace("%2$s", COMES) + " union all " + SELECT_CURSOR
            + """
              from %s
              straight_join job_next t force index (primary) on t.job_id = v.id
             where (t.hold is null or %s)
               and (select 1 from task c force index (one_attempt) where c.job_id = v.id and %s limit 1) is null
            """.formatted(JOBS, NOT_APART, COMES.replace("t.", "c."));

    private LiveTasks() {}

    /** Returns all live tasks, by job. */
    static Map<Long, List<Task>> of(Handle handle, Collection<Long> jobs) {
        return read(handle, ALL, jobs);
    }

    /**
     * Returns the executing tasks, and the earliest that nothing holds back and that could start before {@code
     * claimed}, by job.
     *
     * @param claimed tasks that are left out
     */
    static Map<Long, List<Task>> inTheWayOf(Handle handle, Collection<Long> claimed, Collection<Long> jobs) {
        return read(handle, IN_THE_WAY, jobs, "claimed", InList.ids(claimed));
    }

    /** Returns the executing tasks, and the earliest that waits for its turn with what keeps it, by job. */
    static Map<Long, List<Task>> next(Handle handle, Collection<Long> jobs) {
        Map<Long, List<Task>> next = read(handle, NEXT, jobs);
        List<Long> undecided = next.entrySet().stream()
                .filter(job -> !WakeDecision.isDecidedBy(job.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!undecided.isEmpty()) {
            next.putAll(of(handle, undecided));
        }
        return next;
    }

    private static Map<Long, List<Task>> read(
            Handle handle, String sql, Collection<Long> jobs, @Nullable Object... values) {
        if (jobs.isEmpty()) {
            return new HashMap<>();
        }
        Map<Long, List<Task>> byJob = new HashMap<>();
        jobs.forEach(job -> byJob.put(job, new ArrayList<>()));
        query(handle, sql, values)
                .bind("jobs", JsonRows.ids(jobs))
                .map((row, context) -> TaskColumns.read(row))
                .forEach(task -> Objects.requireNonNull(byJob.get(task.jobId())).add(task));
        return byJob;
    }
}
