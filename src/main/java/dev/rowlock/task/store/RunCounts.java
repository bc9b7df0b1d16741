package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.store.FireDecisions.Decided;
import dev.rowlock.task.store.NewTasks.NewTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Counts of started occurrences of jobs with {@code maxRuns}, under their stripe rows. */
public final class RunCounts {

    private static final String MAX_RUNS = "json_unquote(json_extract(%s.definition, '$.maxRuns'))";

    private static final String READ = """
            select r.job_id, r.runs
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job_run r on r.job_id = v.id
            """;
    private static final String COUNT = """
            insert into job_run (job_id, runs)
            select v.job_id, v.runs
              from json_table(:rows, '$[*]' columns (job_id bigint path '$[0]', runs int path '$[1]')) v
            on duplicate key update runs = job_run.runs + values(runs)
            """;
    /** Update that ends the chain with the last fire time that has come. Rows behind it have no link. */
    private static final String UNLINK = """
            update json_table(:rows, '$[*]' columns (job_id bigint path '$[0]', max_runs int path '$[1]')) v
              straight_join job_run r on r.job_id = v.job_id and r.runs >= v.max_runs
              straight_join task t force index (one_attempt)
                on t.job_id = v.job_id and t.origin = '' and t.attempt = 1
               set t.next_fire_time = null
             where (t.next_fire_time is null or t.next_fire_time > utc_timestamp(3))
            """;
    /**
     * Delete of what lies behind the end of the chain, without a trace, as it was promised to nobody. Only if the end
     * is history, whose links stay, the next one stays too, and is cancelled when its time has come.
     */
    private static final String DELETE_AHEAD = """
            delete t from json_table(:rows, '$[*]' columns (
                            job_id bigint path '$[0]', max_runs int path '$[1]')) v
                   straight_join job_run r on r.job_id = v.job_id and r.runs >= v.max_runs
                   straight_join task p force index (one_attempt)
                     on p.job_id = v.job_id and p.origin = '' and p.attempt = 1 and p.next_fire_time is null
                   straight_join task t force index (one_attempt)
                     on t.job_id = p.job_id and t.fire_time > p.fire_time and t.origin = '' and t.attempt = 1
             where t.fire_time > utc_timestamp(3) and t.state in ('IDLE', 'PREPARED') and t.started_at is null
            """;

    /** Cursors of jobs that have reached {@code maxRuns}. */
    private static final String CURSORS = """
            json_table(:rows, '$[*]' columns (job_id bigint path '$[0]', max_runs int path '$[1]')) v
              straight_join job_run r on r.job_id = v.job_id and r.runs >= v.max_runs
              straight_join job_next t force index (primary) on t.job_id = v.job_id""";

    /**
     * Condition that the end of the chain names the occurrence at the cursor, or that its time has come: it is
     * cancelled when it is to start. The end is history already where it ended in the transaction that counts it, as a
     * broadcast does.
     */
    private static final String IS_AWAITED = """
            (t.fire_time <= utc_timestamp(3)
               or (select 1 from task p force index (one_attempt)
                    where p.job_id = t.job_id and p.fire_time < t.fire_time and p.origin = '' and p.attempt = 1
                      and p.next_fire_time is null limit 1) is null)""";

    /** Counted starts to subtract: only those under a version with {@code maxRuns} were counted. */
    private static final String TAKEN_BACK = """
            select t.job_id, count(*) as runs
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job_run r on r.job_id = t.job_id
              straight_join job_version d on d.job_id = t.job_id and d.version = t.job_version
             where t.launch_id = v.launch and t.state = 'EXECUTING' and %s
               and t.origin = '' and t.cause in ('SCHEDULE', 'CATCH_UP')
             group by t.job_id
            """.formatted(MAX_RUNS.formatted("d") + " > 0");

    /** Ends of the chains of jobs that have runs left and no cursor. */
    private static final String ENDS = """
            select t.job_id, t.id, t.fire_time, j.namespace, j.name, j.version, j.created_at, j.paused,
                   %2$s as definition
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job j on j.id = v.id
              straight_join job_run r on r.job_id = j.id
              straight_join task t force index (one_attempt)
                on t.job_id = j.id and t.origin = '' and t.attempt = 1
             where t.next_fire_time is null and r.runs < %1$s
               and not exists (select 1 from job_next c where c.job_id = j.id)
             order by t.job_id, t.fire_time
            """.formatted(MAX_RUNS.formatted("j"), SmallDefinition.of("j.definition"));

    private RunCounts() {}

    static Map<Long, Integer> of(Handle handle, Collection<Long> jobs) {
        return jobs.isEmpty()
                ? Map.of()
                : query(handle, READ, "jobs", JsonRows.ids(jobs))
                        .map((row, context) -> Map.entry(row.getLong("job_id"), row.getInt("runs")))
                        .list()
                        .stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Counts these. A job that has reached {@code maxRuns} has no further occurrence: those that were prepared are
     * deleted at once. Whoever holds one finds it gone when it wants to fire.
     */
    static void count(Handle handle, List<Decided> started) {
        if (started.isEmpty()) {
            return;
        }
        Map<Long, Long> runs =
                started.stream().collect(Collectors.groupingBy(d -> d.claim().jobId(), Collectors.counting()));
        update(handle, COUNT, "rows", JsonRows.of(runs.entrySet(), e -> row(e.getKey(), e.getValue())));
        String limits = JsonRows.of(
                started, d -> row(d.claim().jobId(), d.claim().policy().maxRuns()));
        update(handle, UNLINK, "rows", limits);
        update(handle, DELETE_AHEAD, "rows", limits);
        Cursors.toTasks(handle, CURSORS, IS_AWAITED, limits);
    }

    /**
     * Subtracts tasks that were counted although nothing was started: they are counted when it is.
     *
     * @return their jobs, for {@link #goOn} after the rows were given back
     */
    public static Set<Long> takeBack(Handle handle, Map<Long, LaunchId> executing) {
        String rows = JsonRows.of(
                executing.entrySet(), e -> row(e.getKey(), e.getValue().text()));
        List<Map.Entry<Long, Long>> counted = query(handle, TAKEN_BACK, "rows", rows)
                .map((row, context) -> Map.entry(row.getLong("job_id"), row.getLong("runs")))
                .list();
        if (!counted.isEmpty()) {
            update(handle, COUNT, "rows", JsonRows.of(counted, e -> row(e.getKey(), -e.getValue())));
        }
        return counted.stream().map(Map.Entry::getKey).collect(Collectors.toSet());
    }

    /**
     * Resumes jobs that were thought to have run for the last time, whatever becomes of that run. One that this node
     * does not understand resumes with its next change.
     */
    public static void goOn(Handle handle, Set<Long> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        Map<Long, LastOccurrence> ends = new HashMap<>(); // the last of each job stays
        query(handle, ENDS, "jobs", JsonRows.ids(jobs))
                .map((row, context) -> ends.put(row.getLong("job_id"), end(row, context)))
                .list();
        List<NewTask> cursors = new ArrayList<>();
        List<TaskRows.At> links = new ArrayList<>();
        ends.forEach((job, end) -> end.next().ifPresent(next -> {
            cursors.add(NewTask.cursor(job, end.version(), end.job().definition(), next));
            links.add(new TaskRows.At(end.task(), next));
        }));
        TaskRows.link(handle, links);
        NewTasks.insert(handle, cursors);
    }

    /** Last occurrence of a job, and the job as it is. */
    private record LastOccurrence(long task, Instant fireTime, int version, StoredDefinition job, Instant createdAt) {

        Optional<Instant> next() {
            return job.isUnderstood()
                    ? JobSchedule.of(job.definition(), createdAt).nextAfter(fireTime)
                    : Optional.empty();
        }
    }

    private static LastOccurrence end(ResultSet row, StatementContext context) throws SQLException {
        JobKey key = new JobKey(row.getString("namespace"), row.getString("name"));
        return new LastOccurrence(
                row.getLong("id"),
                SqlTime.read(row, "fire_time"),
                row.getInt("version"),
                StoredDefinition.read(
                        key, row.getString("definition"), row.getBoolean("paused"), CalendarRows.of(context)),
                SqlTime.read(row, "created_at"));
    }
}
