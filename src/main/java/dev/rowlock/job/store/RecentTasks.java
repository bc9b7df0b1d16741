package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.JobFacts.Skipped;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.query.TaskQueries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Last runs of jobs, and what was skipped since. */
final class RecentTasks {

    private static final String NEWEST = """
            select j.id as job_id,
                   (select h.id from task_history h force index (by_job)
                     where h.namespace = j.namespace and h.job = j.name
                       and h.fire_time >= j.created_at - interval 1 day and h.job_id = j.id and not h.withdrawn
                       and not %1$s
                     order by h.fire_time desc, h.id desc limit 1) as ended,
                   (select t.id from task t
                     where t.job_id = j.id and t.state = 'EXECUTING' and not %2$s
                     order by t.fire_time desc,
                       t.id desc limit 1) as executing
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]')) v
              straight_join job j on j.id = v.id
            """.formatted(OriginSql.isBackfill("h"), OriginSql.isBackfill("t"));
    private static final String BACK = """
            (select h.job_id, h.id, h.fire_time, h.last_fire_time, h.outcome, h.reason, h.occurrences,
                   h.started_at is not null as started
               from task_history h force index (by_job)
              where h.namespace = :namespace%1$s and h.job = :name%1$s
                and h.fire_time >= :created%1$s - interval 1 day and h.job_id = :id%1$s and not h.withdrawn
                and not %3$s
              order by h.fire_time desc, h.id desc limit %2$s)
            """;
    private static final String COUNTED = """
            select s.job_id, s.last_task
              from json_table(:jobs, '$[*]' columns (id bigint path '$[0]')) v
              straight_join job_stats s on s.job_id = v.id
             where s.last_task is not null
            """;
    /** Rows read for all jobs of a page together, but at least these of each job. */
    private static final int MOST_ROWS = 10_000;

    private static final int LEAST_OF_A_JOB = 20;
    /** Jobs read by one statement. */
    private static final int TOGETHER = 50;

    private final Handle handle;
    private final Map<Long, StoredJob> jobs = new LinkedHashMap<>();
    private final Map<Long, TaskView> executing = new HashMap<>();
    private final Map<Long, TaskView> ended = new HashMap<>();
    private final Map<Long, Skipped> skipped = new HashMap<>();

    RecentTasks(Handle handle, Collection<StoredJob> jobs) {
        this.handle = handle;
        jobs.forEach(job -> this.jobs.put(job.id(), job));
        readNewest();
        List<StoredJob> withSkips = jobs.stream()
                .filter(job ->
                        ended.containsKey(job.id()) && !ended.get(job.id()).ran())
                .toList();
        int most = Math.max(LEAST_OF_A_JOB, MOST_ROWS / Math.max(1, withSkips.size()));
        for (int from = 0; from < withSkips.size(); from += TOGETHER) {
            readBack(withSkips.subList(from, Math.min(withSkips.size(), from + TOGETHER)), most);
        }
    }

    /**
     * Returns the newest task of a job that is, or was, executed; null if there is none, or too much was skipped since
     * to find it and it is not counted yet.
     */
    @Nullable
    TaskView lastThatRan(StoredJob job) {
        TaskView running = executing.get(job.id());
        TaskView last = ended.get(job.id());
        if (running == null || last == null) {
            return running == null ? last : running;
        }
        return TaskQueries.NEWEST_FIRST.compare(running, last) < 0 ? running : last;
    }

    /** Returns what was due after that and did not run. */
    @Nullable
    Skipped skippedSince(StoredJob job) {
        return skipped.get(job.id());
    }

    private void readNewest() {
        Map<Long, Long> jobOf = new HashMap<>();
        query(handle, NEWEST, "jobs", JsonRows.of(jobs.keySet(), JsonRows::row))
                .map((row, context) -> {
                    long job = row.getLong("job_id");
                    jobOf.put(row.getLong("ended"), job);
                    return jobOf.put(row.getLong("executing"), job);
                })
                .list();
        jobOf.remove(0L);
        for (TaskView task : TaskQueries.find(handle, jobOf.keySet())) {
            long job = jobOf.getOrDefault(task.id(), 0L);
            (task.isEnded() ? ended : executing).put(job, task);
        }
    }

    /** Reads from the newest task of each job back to one that ran. */
    private void readBack(List<StoredJob> together, int most) {
        List<String> branches = new ArrayList<>();
        for (int i = 0; i < together.size(); i++) {
            branches.add(BACK.formatted(i, most, OriginSql.isBackfill("h")));
        }
        Query query = handle.createQuery(String.join(" union all ", branches));
        for (int i = 0; i < together.size(); i++) {
            StoredJob job = together.get(i);
            query.bind("namespace" + i, job.key().namespace())
                    .bind("name" + i, job.key().name())
                    .bind("created" + i, SqlTime.text(job.createdAt()))
                    .bind("id" + i, job.id());
        }
        Map<Long, List<PastTask>> pasts = new HashMap<>();
        query.map((row, context) -> new PastTask(
                        row.getLong("job_id"),
                        row.getLong("id"),
                        SqlTime.read(row, "fire_time"),
                        SqlTime.read(row, "last_fire_time"),
                        row.getString("outcome"),
                        row.getString("reason"),
                        row.getLong("occurrences"),
                        row.getBoolean("started")))
                .forEach(past -> pasts.computeIfAbsent(past.job(), id -> new ArrayList<>())
                        .add(past));
        Map<Long, Long> ran = new HashMap<>();
        pasts.forEach((job, rows) -> settle(job, rows, rows.size() == most, ran));
        counted(together.stream()
                        .map(StoredJob::id)
                        .filter(job -> !ended.containsKey(job) && !ran.containsValue(job))
                        .toList())
                .forEach(ran::put);
        TaskQueries.find(handle, ran.keySet()).forEach(task -> ended.put(ran.getOrDefault(task.id(), 0L), task));
    }

    /** Returns the last runs, with their jobs, that were counted of jobs whose rows were not read back that far. */
    private Map<Long, Long> counted(List<Long> ofJobs) {
        Map<Long, Long> last = new HashMap<>();
        if (!ofJobs.isEmpty()) {
            query(handle, COUNTED, "jobs", JsonRows.of(ofJobs, JsonRows::row))
                    .map((row, context) -> last.put(row.getLong("last_task"), row.getLong("job_id")))
                    .list();
        }
        return last;
    }

    /** Row of history, as far as it matters here. */
    private record PastTask(
            long job,
            long id,
            Instant fireTime,
            Instant last,
            String outcome,
            @Nullable String reason,
            long occurrences,
            boolean started) {

        private static final Comparator<PastTask> NEWEST_FIRST = Comparator.comparing(PastTask::fireTime)
                .thenComparing(PastTask::id)
                .reversed();

        boolean isBefore(TaskView task) {
            return fireTime.isBefore(task.fireTime());
        }

        /** Returns whether a command ran, and did not decline. */
        boolean ran() {
            return started && Outcome.read(outcome).isOfRun();
        }

        boolean wasSkipped() {
            return !started && (outcome.equals(Outcome.SKIPPED.name()) || outcome.equals(Outcome.MISSED.name()));
        }
    }

    private void settle(long job, List<PastTask> rows, boolean cut, Map<Long, Long> ran) {
        rows.sort(PastTask.NEWEST_FIRST);
        ended.remove(job);
        TaskView running = executing.get(job);
        PastTask newest = null;
        long count = 0;
        boolean whole = !cut;
        for (PastTask row : rows) {
            if (row.ran() || (running != null && row.isBefore(running))) {
                whole = true;
                if (row.ran()) {
                    ran.put(row.id(), job);
                }
                break;
            }
            if (row.wasSkipped()) {
                newest = newest == null ? row : newest;
                count += row.occurrences();
            }
        }
        if (newest != null) {
            skipped.put(job, new Skipped(count, whole, newest.outcome(), newest.reason(), newest.last()));
        }
    }
}
