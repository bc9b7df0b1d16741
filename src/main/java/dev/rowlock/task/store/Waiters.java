package dev.rowlock.task.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.definition.Overlap;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.WakeDecision;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.rule.WakeDecision.WakeRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Tasks that wait for others of their job: they are due as soon as nothing is in their way. */
public final class Waiters {

    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.hold = null, t.hold_reason = null
             where t.state = 'IDLE' and (%s or %s)
            """.formatted(HoldStore.is(Hold.OVERLAP), HoldStore.is(Hold.NODE));

    private static final String PARALLEL = """
            select j.id, json_unquote(json_extract(j.definition, '$.broadcastParallel')) as parallel
              from json_table(:jobs, '$[*]' columns (id bigint path '$')) v
              straight_join job j on j.id = v.id
            """;
    private static final String OVERLAPS = """
            select t.id, coalesce(nullif(json_unquote(json_extract(t.overrides, '$.overlap')), 'null'),
                   json_unquote(json_extract(j.definition, '$.overlap'))) as overlap
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
            """;
    private static final String JOBS = """
            select t.job_id
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
             union
            select t.job_id
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join job_next t force index (by_task) on t.task_id = v.id
            """;

    private Waiters() {}

    /** Returns what decides besides the tasks themselves; it is read only for jobs where it matters. */
    private static Map<Long, WakeRules> rules(Handle handle, Map<Long, List<Task>> tasks) {
        Map<Long, Integer> parallel = parallel(handle, tasks);
        Map<Long, Overlap> overlaps = overlaps(handle, tasks.values());
        Map<Long, WakeRules> rules = new HashMap<>();
        tasks.keySet().forEach(job -> rules.put(job, new WakeRules(parallel.get(job), overlaps)));
        return rules;
    }

    /**
     * Returns, for jobs with waiting parts of a broadcast, on how many nodes they run at a time, if that is limited.
     */
    private static Map<Long, Integer> parallel(Handle handle, Map<Long, List<Task>> tasks) {
        List<Long> jobs = tasks.entrySet().stream()
                .filter(job -> job.getValue().stream()
                        .anyMatch(task ->
                                task.hold() == Hold.OVERLAP && task.origin().isPart()))
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

    /**
     * Returns the overlaps of tasks behind a retry or recovery that waits for its time: it keeps its place only before
     * some.
     */
    private static Map<Long, Overlap> overlaps(Handle handle, Collection<List<Task>> jobs) {
        List<Long> waiting = jobs.stream()
                .filter(WakeDecision::isAmbiguous)
                .flatMap(List::stream)
                .filter(task -> task.hold() == Hold.OVERLAP)
                .map(Task::id)
                .toList();
        Map<Long, Overlap> overlaps = new HashMap<>();
        if (!waiting.isEmpty()) {
            query(handle, OVERLAPS, "ids", JsonRows.ids(waiting))
                    .map((row, context) -> overlaps.put(row.getLong("id"), Overlap.read(row.getString("overlap"))))
                    .list();
        }
        return overlaps;
    }

    /** Wakes what may start next. Call after tasks of these jobs have left their state, under their stripe rows. */
    public static void wake(Handle handle, Collection<Long> jobs, FreedResource left) {
        wakeThese(handle, next(handle, jobs, left));
    }

    /** Wakes what may start next after these tasks were set aside, whose rows still exist. */
    public static void wakeBehind(Handle handle, Collection<Long> tasks, FreedResource left) {
        wake(
                handle,
                query(handle, JOBS, "ids", JsonRows.ids(tasks))
                        .mapTo(Long.class)
                        .list(),
                left);
    }

    /** Returns what may start next in these jobs, of which tasks have left, under their stripe rows. */
    public static List<Long> next(Handle handle, Collection<Long> jobs, FreedResource left) {
        Map<Long, List<Task>> tasks = LiveTasks.next(handle, jobs);
        Map<Long, WakeRules> rules = rules(handle, tasks);
        return tasks.entrySet().stream()
                .flatMap(job ->
                        WakeDecision.of(job.getValue(), left, rules.getOrDefault(job.getKey(), WakeRules.NONE))
                                .stream())
                .map(Task::id)
                .toList();
    }

    /** Makes those of them that still wait due now. */
    public static void wakeThese(Handle handle, Collection<Long> tasks) {
        if (!tasks.isEmpty()) {
            update(handle, WAKE, "ids", JsonRows.ids(tasks));
        }
    }
}
