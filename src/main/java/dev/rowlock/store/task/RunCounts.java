package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.task.FireDecisions.Decided;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** How many occurrences of jobs with {@code maxRuns} have been started, under their shard rows. */
final class RunCounts {

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
    /** What has a row before the cursor is the last. */
    private static final String UNLINK = """
            update json_table(:rows, '$[*]' columns (job_id bigint path '$[0]', max_runs int path '$[1]')) v
              straight_join job_run r on r.job_id = v.job_id and r.runs >= v.max_runs
              straight_join task c force index (one_cursor) on c.cursor_of = v.job_id
              straight_join task t force index (one_attempt)
                on t.job_id = v.job_id and t.next_fire_time = c.fire_time
               set t.next_fire_time = null
             where c.state = 'IDLE'
            """;
    /** What was prepared meanwhile ends when its time has come. */
    private static final String NO_CURSOR = """
            delete t from json_table(:rows, '$[*]' columns (
                            job_id bigint path '$[0]', max_runs int path '$[1]')) v
                   straight_join job_run r on r.job_id = v.job_id and r.runs >= v.max_runs
                   straight_join task t force index (one_cursor) on t.cursor_of = v.job_id
             where t.state = 'IDLE'
            """;

    private static final String TAKEN_BACK = """
            select t.job_id, count(*) as runs
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job_run r on r.job_id = t.job_id
             where t.launch_id = v.launch and t.state = 'EXECUTING'
               and t.origin = '' and t.cause in ('SCHEDULE', 'CATCH_UP')
             group by t.job_id
            """;

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

    /** Counts these; a job that has run as often as it was to has no further occurrence. */
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
        update(handle, NO_CURSOR, "rows", limits);
    }

    /** These were counted, but nothing was started: they will be counted when it is. */
    static void takeBack(Handle handle, Map<Long, LaunchId> executing) {
        String rows = JsonRows.of(
                executing.entrySet(), e -> row(e.getKey(), e.getValue().text()));
        List<Map.Entry<Long, Long>> counted = query(handle, TAKEN_BACK, "rows", rows)
                .map((row, context) -> Map.entry(row.getLong("job_id"), row.getLong("runs")))
                .list();
        if (!counted.isEmpty()) {
            update(handle, COUNT, "rows", JsonRows.of(counted, e -> row(e.getKey(), -e.getValue())));
        }
    }
}
