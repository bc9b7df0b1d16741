package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.job.Hold;
import dev.rowlock.job.Origin;
import dev.rowlock.policy.LiveTask;
import dev.rowlock.policy.WakeDecision;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Tasks that wait for others of their job: they are due as soon as nothing is in their way. */
final class Waiters {

    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.waits_for = null
             where t.state = 'IDLE' and (%s or %s)
            """.formatted(Holds.is(Hold.OVERLAP), Holds.is(Hold.NODE));

    private static final String PARALLEL = """
            select j.id, json_unquote(json_extract(j.definition, '$.broadcastParallel')) as parallel
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job j on j.id = v.id
            """;

    private Waiters() {}

    /** Of jobs with parts of a broadcast that wait: on how many nodes they run at a time, if that is limited. */
    private static Map<Long, Integer> parallel(Handle handle, Map<Long, List<LiveTask>> tasks) {
        List<Long> jobs = tasks.entrySet().stream()
                .filter(job -> job.getValue().stream()
                        .anyMatch(task -> task.hold() == Hold.OVERLAP && Origin.isOfNode(task.origin())))
                .map(Map.Entry::getKey)
                .toList();
        Map<Long, Integer> parallel = new HashMap<>();
        if (!jobs.isEmpty()) {
            query(handle, PARALLEL, "jobs", JsonRows.ids(jobs))
                    .map((row, context) -> {
                        @Nullable String limit = row.getString("parallel");
                        return limit == null || limit.equals("null")
                                ? null
                                : parallel.put(row.getLong("id"), Integer.valueOf(limit));
                    })
                    .list();
        }
        return parallel;
    }

    /** After tasks of these jobs have ended, under their shard rows. */
    static void wake(Handle handle, Collection<Long> jobs) {
        wakeThese(handle, next(handle, jobs));
    }

    /** What may be started next of these jobs, of which tasks have ended, under their shard rows. */
    static List<Long> next(Handle handle, Collection<Long> jobs) {
        Map<Long, List<LiveTask>> tasks = LiveTasks.next(handle, jobs);
        Map<Long, Integer> parallel = parallel(handle, tasks);
        return tasks.entrySet().stream()
                .flatMap(job -> WakeDecision.of(job.getValue(), parallel.get(job.getKey())).stream())
                .map(LiveTask::id)
                .toList();
    }

    /** Those of them that still wait are due now. */
    static void wakeThese(Handle handle, Collection<Long> tasks) {
        if (!tasks.isEmpty()) {
            update(handle, WAKE, "ids", JsonRows.ids(tasks));
        }
    }
}
