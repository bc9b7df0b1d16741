package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
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
}
