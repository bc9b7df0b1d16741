package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Listed;
import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.LaunchId;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.policy.WakeDecision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Live tasks of jobs whose policy asks for them, read under their stripe rows. All of them may be a hundred thousand
 * that wait; mostly those that execute and the earliest of the others say enough.
 */
final class LiveTasks {

    /** {@link #read} goes by the order of the columns. */
    private static final String SELECT = """
            select t.job_id, t.id, t.job_version, timestampdiff(microsecond, '1970-01-01', t.fire_time) div 1000,
                   t.origin, t.attempt, t.cause, t.state, t.hold, t.queued_at is not null, t.session_id, t.launch_id,
                   t.replaced_by is not null, false
            """;

    private static final String SELECT_CURSOR = """
            select t.job_id, t.task_id, t.job_version, timestampdiff(microsecond, '1970-01-01', t.fire_time) div 1000,
                   '', 1, 'SCHEDULE', 'IDLE', t.hold, false, null, null, false, true
            """;

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
     * What executes is found by its session, as what waits has none. The earliest of the others is found by its fire
     * time, in the order of the index: MySQL would sort all of them if the job were not named in it. The limit makes
     * the server find it once for each job.
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

    /** What could start before those that are claimed, which are bound: a text of its own each time would be parsed. */
    private static final String COMES =
            "t.state <> 'EXECUTING' and (t.hold is null or t.hold not in ('PAUSE', 'ERROR'))"
                    + " and find_in_set(t.id, :claimed) = 0";
    /** What waits for its turn. */
    private static final String WAITS = "t.state <> 'EXECUTING' and (t.hold not in ('PAUSE', 'ERROR')"
            + " or t.hold is null and (t.queued_at is not null or t.cause in ('RETRY', 'RECOVERY')))";

    static final String NEXT = FIRST.replace("%2$s", WAITS);
    /** Behind everything else of its job is its cursor: it comes first where nothing else comes. */
    private static final String IN_THE_WAY = FIRST.replace("%2$s", COMES) + " union all " + SELECT_CURSOR
            + """
              from %s
              straight_join job_next t force index (primary) on t.job_id = v.id
             where (t.hold is null or t.hold not in ('PAUSE', 'ERROR'))
               and (select 1 from task c force index (one_attempt) where c.job_id = v.id and %s limit 1) is null
            """.formatted(JOBS, COMES.replace("t.", "c."));

    private LiveTasks() {}

    /** By job; every one of them is in the answer. */
    static Map<Long, List<LiveTask>> of(Handle handle, Collection<Long> jobs) {
        return read(handle, ALL, jobs);
    }

    /**
     * By job: those that execute, and the earliest that could start before {@code claimed}, unless something keeps it.
     *
     * @param claimed not looked for
     */
    static Map<Long, List<LiveTask>> inTheWayOf(Handle handle, Collection<Long> claimed, Collection<Long> jobs) {
        return read(handle, IN_THE_WAY, jobs, "claimed", Listed.ids(claimed));
    }

    /** By job: those that execute, and the earliest that waits for its turn; what keeps that one included. */
    static Map<Long, List<LiveTask>> next(Handle handle, Collection<Long> jobs) {
        Map<Long, List<LiveTask>> next = read(handle, NEXT, jobs);
        List<Long> undecided = next.entrySet().stream()
                .filter(job -> !WakeDecision.isDecidedBy(job.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!undecided.isEmpty()) {
            next.putAll(of(handle, undecided));
        }
        return next;
    }

    private static Map<Long, List<LiveTask>> read(
            Handle handle, String sql, Collection<Long> jobs, @Nullable Object... values) {
        if (jobs.isEmpty()) {
            return new HashMap<>();
        }
        Map<Long, List<LiveTask>> byJob = new HashMap<>();
        jobs.forEach(job -> byJob.put(job, new ArrayList<>()));
        query(handle, sql, values)
                .bind("jobs", JsonRows.ids(jobs))
                .map((row, context) ->
                        Objects.requireNonNull(byJob.get(row.getLong(1))).add(read(row)))
                .list();
        return byJob;
    }

    /** Without dates and names of columns: hundreds of them are read while others wait for the lock. */
    private static LiveTask read(ResultSet row) throws SQLException {
        @Nullable String hold = row.getString(9);
        @Nullable String launch = row.getString(12);
        return new LiveTask(
                row.getLong(2),
                row.getInt(3),
                Instant.ofEpochMilli(row.getLong(4)),
                row.getString(5),
                row.getInt(6),
                Cause.read(row.getString(7)),
                TaskState.valueOf(row.getString(8)),
                hold == null ? null : Hold.find(hold).orElse(null),
                row.getBoolean(10),
                row.getString(11),
                launch == null ? null : new LaunchId(launch),
                row.getBoolean(13),
                row.getBoolean(14));
    }
}
