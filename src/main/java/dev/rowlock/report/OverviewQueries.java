package dev.rowlock.report;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarJobs;
import dev.rowlock.calendar.CalendarJobs.EndingCalendar;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.freeze.store.ReasonsByNow;
import dev.rowlock.report.count.ClusterFigures;
import dev.rowlock.report.count.ClusterHealth;
import dev.rowlock.report.count.ClusterHealth.LateTask;
import dev.rowlock.report.count.ClusterHealth.LongTask;
import dev.rowlock.report.count.ClusterHealth.Minute;
import dev.rowlock.report.count.ClusterHealth.Some;
import dev.rowlock.report.count.ClusterHealth.StuckJob;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.report.count.ClusterHealth.WaitingTasks;
import dev.rowlock.report.count.Counting;
import dev.rowlock.report.count.FinishPlans;
import dev.rowlock.report.count.JobStats;
import dev.rowlock.report.count.StatsQueries;
import dev.rowlock.report.verify.AccountingQueries;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/** Queries of what goes on: from small aggregates, and from as many live rows as can be read in a moment. */
public final class OverviewQueries {

    private static final int SHOWN = 50;
    /** Number at which counting stops. */
    private static final int COUNTED = 10_000;
    /** Waiting tasks that are read in their rows, and told apart by them. */
    private static final int WAITING_COUNTED = 2_000;

    /** Delay from which a task counts as late, as a start takes a moment. */
    private static final Duration LATE = Duration.ofSeconds(5);

    /** Delay from which a job counts as stuck, as labels of nodes may be changed one after the other. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(1);

    /** Minimum number of known runs, and minimum duration, for one to count as longer than usual. */
    private static final int SAMPLES = 5;

    private static final Duration SHORT = Duration.ofSeconds(10);

    private static final String FAILING = StatsQueries.STATS + """
              from job_stats s force index (by_result) straight_join job j on j.id = s.job_id
             where s.result = 'FAILED' order by s.streak_since desc limit :most
            """;
    private static final String COUNT_FAILING = """
            select count(*)
              from (select 1 from job_stats s force index (by_result) straight_join job j on j.id = s.job_id
             where s.result = 'FAILED' limit :most) f
            """;
    private static final String LATE_FROM = """
              from task t force index (due) straight_join job j on j.id = t.job_id
              left join session o on o.id = t.session_id
             where t.idle = %s and t.due_at < :before and t.state <> 'EXECUTING' and t.hold is null
            """;
    private static final String LATE_TASKS =
            "(select t.id, j.namespace, j.name, t.fire_time, t.due_at, t.state, o.node " + LATE_FROM
                    + " order by t.due_at limit :most)";
    private static final String LATE_CURSORS_FROM = """
              from job_next t force index (due) straight_join job j on j.id = t.job_id
             where t.due_at < :before and t.hold is null
            """;
    private static final String LATE_ONES = LATE_TASKS.formatted("1") + " union all " + LATE_TASKS.formatted("0")
            + " union all (select t.task_id, j.namespace, j.name, t.fire_time, t.due_at, 'IDLE', null "
            + LATE_CURSORS_FROM + " order by t.due_at limit :most) order by due_at limit :most";
    private static final String LATE_COUNT = "select count(*) from ((select 1 " + LATE_FROM.formatted("1")
            + " limit :most) union all (select 1 " + LATE_FROM.formatted("0") + " limit :most) union all (select 1 "
            + LATE_CURSORS_FROM + " limit :most)) l";

    /** Query of jobs that may run nowhere or have quarantined tasks: for a minute, or after others were missed. */
    private static final String STUCK = """
            select * from (
              select j.namespace, j.name, min(w.hold) as hold, min(w.hold_reason) as reason, min(w.fire_time) as since,
                     coalesce((select sum(d.missed) from job_day d
                                where d.job_id = j.id and d.day >= date(coalesce(s.last_started, '1970-01-01'))), 0)
                       as missed
                from (select t.job_id, t.hold, t.hold_reason, t.fire_time
                        from ((select task_id from task_wait where awaited like 'selector:%%' limit :read)
                              union
                              (select task_id from task_aside limit :read)) q
                        straight_join task t on t.id = q.task_id
                       where t.state = 'IDLE' and t.hold in %s
                      union all
                      select c.job_id, c.hold, c.hold_reason, c.fire_time
                        from (select task_id from task_aside limit :read) q
                        straight_join job_next c force index (by_task) on c.task_id = q.task_id
                       where c.hold = 'ERROR') w
                straight_join job j on j.id = w.job_id
                left join job_stats s on s.job_id = j.id
               where not j.paused
               group by j.id, j.namespace, j.name, s.last_started) stuck
             where missed > 0 or since < :before
             order by since
            """.formatted(Hold.listOf(Trait.STUCK));

    /**
     * Query of waiting tasks: those held without an end have no time; those held for another task, while that executes;
     * those held by a freeze, the time of its end; the rest has a rank.
     */
    private static final String WAITING = """
            select w.hold, count(*) as tasks, min(w.hold_reason) as example
              from ((select t.id, t.hold, t.hold_reason from task t force index (due)
                      where t.idle = 1 and t.due_at is null limit :most)
                    union
                    (select t.task_id, t.hold, t.hold_reason from job_next t force index (due)
                      where t.due_at is null limit :most)
                    union
                    (select t.id, t.hold, t.hold_reason from task_wait q straight_join task t on t.id = q.task_id
                      where t.state = 'IDLE' and t.hold is not null limit :most)
                    union
                    (select t.id, t.hold, t.hold_reason
                       from task e force index (due)
                       straight_join task t force index (one_attempt) on t.job_id = e.job_id
                      where e.idle = 0 and e.due_at <= utc_timestamp(6) and e.state = 'EXECUTING' and t.state = 'IDLE'
                        and t.hold = 'OVERLAP' limit :most)
                    union
                    (select t.id, t.hold, t.hold_reason
                       from freeze f straight_join task t force index (due) on t.idle = 1 and t.due_at = f.until_at
                      where f.until_at > utc_timestamp(3) and t.hold = 'FREEZE' limit :most)
                    union
                    (select t.task_id, t.hold, t.hold_reason
                       from freeze f straight_join job_next t force index (due) on t.due_at = f.until_at
                      where f.until_at > utc_timestamp(3) and t.hold = 'FREEZE' limit :most)) w
             where w.hold is not null
             group by w.hold
            """;

    private static final String LONG_RUNNING = """
            select t.id, j.namespace, j.name, o.node, t.started_at, s.p95_ms,
                   timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms
              from task t force index (due) straight_join job_stats s on s.job_id = t.job_id
              straight_join job j on j.id = t.job_id
              left join session o on o.id = t.session_id
             where t.idle = 0 and t.due_at <= utc_timestamp(6) and t.state = 'EXECUTING' and s.samples >= :samples
               and t.started_at < utc_timestamp(3) - interval greatest(2 * s.p95_ms, :short) * 1000 microsecond
             order by t.started_at limit :most
            """;
    private static final String MINUTES = """
            select minute, fires, succeeded, failed, timed_out, killed, lost, skipped, missed, cancelled
              from history_minute where minute >= :from order by minute
            """;
    private static final String STARTED = """
            select date_format(t.started_at, '%Y-%m-%d %H:%i:00') as minute, count(*) as fires
              from task t force index (due)
             where t.idle = 0 and t.due_at <= utc_timestamp(6) and t.state = 'EXECUTING' and t.started_at >= :from
             group by minute
            """;
    private static final String WITH_METRICS = """
            select j.id
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job j force index (primary) on j.id = v.id
             where json_unquote(json_extract(j.definition, '$.metrics')) = 'true'
            """;
    private static final String VERIFICATION = "select value from setting where name = :name";

    private final Database database;
    private final FinishPlans plans = new FinishPlans();

    public OverviewQueries(Database database) {
        this.database = database;
    }

    /** Reads the overview in short statements, one after the other. For one thread at a time. */
    public ClusterHealth read() {
        return database.autoCommit("reading how the cluster fares", handle -> {
            Instant now = SqlTime.now(handle);
            return new ClusterHealth(
                    now,
                    handle.createQuery("select version()").mapTo(String.class).one(),
                    Counting.countedThrough(handle, now),
                    failing(handle),
                    late(handle, now),
                    stuck(handle, now),
                    waiting(handle),
                    longRunning(handle),
                    plans.unfinished(handle, now, SHOWN),
                    verification(handle),
                    endingCalendars(handle, now),
                    minutes(handle, now.minus(Duration.ofDays(1))));
        });
    }

    /**
     * Reads the figures of the cluster for metrics.
     *
     * @param jobs some of which it is to be known whether they have metrics of their own
     */
    public ClusterFigures figures(Collection<Long> jobs) {
        return database.autoCommit("reading metrics of the cluster", handle -> {
            Map<Hold, Long> waiting = new EnumMap<>(Hold.class);
            waiting(handle).forEach((hold, tasks) -> waiting.put(hold, tasks.tasks()));
            int ending = endingCalendars(handle, SqlTime.now(handle)).size();
            return new ClusterFigures(waiting, verification(handle), ending, withMetrics(handle, jobs));
        });
    }

    private static List<EndingCalendar> endingCalendars(Handle handle, Instant now) {
        return CalendarJobs.ending(handle, now.plus(Duration.ofDays(JobCalendars.ENDS_SOON)));
    }

    private static Set<Long> withMetrics(Handle handle, Collection<Long> jobs) {
        return jobs.isEmpty()
                ? Set.of()
                : query(handle, WITH_METRICS, "ids", JsonRows.ids(jobs))
                        .mapTo(Long.class)
                        .set();
    }

    private static Some<JobStats> failing(Handle handle) {
        List<JobStats> jobs = query(handle, FAILING, "most", SHOWN)
                .map((row, context) -> StatsQueries.stats(row))
                .list();
        return some(jobs, jobs.size() < SHOWN ? jobs.size() : count(query(handle, COUNT_FAILING)));
    }

    private static Some<LateTask> late(Handle handle, Instant now) {
        String before = SqlTime.text(now.minus(LATE));
        List<LateTask> tasks = query(handle, LATE_ONES, "before", before, "most", SHOWN)
                .map((row, context) -> new LateTask(
                        row.getLong("id"),
                        key(row),
                        SqlTime.read(row, "fire_time"),
                        SqlTime.read(row, "due_at"),
                        row.getString("state"),
                        row.getString("node")))
                .list();
        return some(tasks, tasks.size() < SHOWN ? tasks.size() : count(query(handle, LATE_COUNT, "before", before)));
    }

    private static Some<StuckJob> stuck(Handle handle, Instant now) {
        List<StuckJob> jobs = query(
                        handle, STUCK, "read", WAITING_COUNTED, "before", SqlTime.text(now.minus(STUCK_AFTER)))
                .map((row, context) -> stuck(row))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList();
        return some(jobs.stream().limit(SHOWN).toList(), jobs.size());
    }

    /** Reads a stuck job; empty if a newer version holds it for a reason unknown to this one. */
    private static Optional<StuckJob> stuck(ResultSet row) throws SQLException {
        JobKey job = key(row);
        @Nullable String reason = row.getString("reason");
        Instant since = SqlTime.read(row, "since");
        long missed = row.getLong("missed");
        return Hold.find(row.getString("hold")).map(hold -> new StuckJob(job, hold, reason, since, missed));
    }

    private static long count(org.jdbi.v3.core.statement.Query query) {
        return query.bind("most", COUNTED + 1).mapTo(Long.class).one();
    }

    private static <T> Some<T> some(List<T> items, long count) {
        return new Some<>(items, Math.min(count, COUNTED), count > COUNTED);
    }

    private static Map<Hold, WaitingTasks> waiting(Handle handle) {
        Map<Hold, WaitingTasks> waiting = new EnumMap<>(Hold.class);
        query(handle, WAITING, "most", WAITING_COUNTED)
                .map((row, context) -> {
                    WaitingTasks tasks = new WaitingTasks(row.getLong("tasks"), false, row.getString("example"));
                    Hold.find(row.getString("hold")).ifPresent(hold -> waiting.put(hold, tasks));
                    return tasks;
                })
                .list();
        waiting.computeIfPresent(Hold.FREEZE, (hold, some) -> {
            ReasonsByNow reasons = ReasonsByNow.of(handle, Stream.ofNullable(some.example()));
            return new WaitingTasks(some.tasks(), some.more(), reasons.nowOrNull(some.example()));
        });
        long read = waiting.values().stream().mapToLong(WaitingTasks::tasks).sum();
        if (read >= WAITING_COUNTED) { // of each hold, there may be more
            waiting.replaceAll((hold, some) -> new WaitingTasks(some.tasks(), true, some.example()));
        }
        return waiting;
    }

    private static Some<LongTask> longRunning(Handle handle) {
        RowMapper<LongTask> task = (row, context) -> new LongTask(
                row.getLong("id"),
                key(row),
                row.getString("node"),
                SqlTime.read(row, "started_at"),
                row.getLong("running_ms"),
                row.getLong("p95_ms"));
        List<LongTask> tasks = query(
                        handle, LONG_RUNNING, "samples", SAMPLES, "short", SHORT.toMillis(), "most", SHOWN + 1)
                .map(task)
                .list();
        return new Some<>(tasks.stream().limit(SHOWN).toList(), Math.min(SHOWN, tasks.size()), tasks.size() > SHOWN);
    }

    private static @Nullable Verification verification(Handle handle) {
        return query(handle, VERIFICATION, "name", AccountingQueries.VERIFIED).mapTo(String.class).stream()
                .map(Verification::parse)
                .findFirst()
                .orElse(null);
    }

    private static List<Minute> minutes(Handle handle, Instant from) {
        Map<Instant, Minute> minutes = new TreeMap<>();
        query(handle, MINUTES, "from", SqlTime.text(from))
                .map((row, context) -> minute(row))
                .forEach(minute -> minutes.put(minute.at(), minute));
        query(handle, STARTED, "from", SqlTime.text(from))
                .map((row, context) -> new Minute(
                        Instant.parse(row.getString("minute").replace(' ', 'T') + "Z"), row.getLong("fires"), Map.of()))
                .forEach(started -> minutes.merge(
                        started.at(),
                        started,
                        (counted, live) -> new Minute(live.at(), counted.fires() + live.fires(), counted.outcomes())));
        return List.copyOf(minutes.values());
    }

    private static Minute minute(ResultSet row) throws SQLException {
        Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.EXPANDED) {
                outcomes.put(outcome, row.getLong(outcome.name().toLowerCase(Locale.ROOT)));
            }
        }
        return new Minute(SqlTime.read(row, "minute"), row.getLong("fires"), outcomes);
    }

    private static JobKey key(ResultSet row) throws SQLException {
        return new JobKey(row.getString("namespace"), row.getString("name"));
    }
}
