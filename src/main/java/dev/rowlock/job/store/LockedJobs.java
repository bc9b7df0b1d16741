package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.HistoryAhead;
import dev.rowlock.task.transition.TasksOfJobs;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that change in one transaction, under their stripe rows. A fact about one of them is read for all, on first use:
 * so nothing that was read may be changed before all of them were decided.
 */
final class LockedJobs {

    private static final String RUNS = """
            select r.job_id, r.runs
              from json_table(:jobs, '$[*]' columns (job bigint path '$')) v
              straight_join job_run r on r.job_id = v.job
            """;

    private final Handle handle;
    private final Map<Long, JobKey> keys;
    private final List<Long> ids;
    private final Map<Instant, Map<Long, Set<Instant>>> ahead = new HashMap<>();
    private boolean unprepared;
    private boolean tooManyLive;
    private @Nullable Map<Long, List<Task>> live;
    private @Nullable Map<Long, Integer> runs;

    LockedJobs(Handle handle, List<StoredJob> jobs) {
        this.handle = handle;
        this.keys = jobs.stream().collect(Collectors.toMap(StoredJob::id, StoredJob::key));
        this.ids = jobs.stream().map(StoredJob::id).toList();
    }

    /** Returns their prepared tasks to idle. */
    void unprepare() {
        if (!unprepared) {
            TasksOfJobs.unprepare(handle, ids);
            unprepared = true;
        }
    }

    /** Returns the live tasks of one of them, by fire time. */
    List<Task> live(StoredJob job) {
        if (live == null && !tooManyLive && ids.size() > 1) {
            live = TasksOfJobs.live(handle, ids).orElse(null);
            tooManyLive = live == null;
        }
        return live == null ? TasksOfJobs.live(handle, job.id()) : live.getOrDefault(job.id(), List.of());
    }

    /**
     * Returns fire times of the schedule of one of them that are in history already, though they are later than that.
     */
    Set<Instant> settled(StoredJob job, Instant than) {
        return ahead(than).getOrDefault(job.id(), Set.of());
    }

    /** Returns whether history has anything of one of them that is later than that, even cancelled. */
    boolean isAhead(StoredJob job, Instant than) {
        return ahead(than).containsKey(job.id());
    }

    private Map<Long, Set<Instant>> ahead(Instant than) {
        return ahead.computeIfAbsent(than, at -> HistoryAhead.read(handle, keys, at));
    }

    /** Returns the number of occurrences of one of them started since it has {@code maxRuns}. */
    int runs(StoredJob job) {
        if (runs == null) {
            runs = runs(handle, ids);
        }
        return runs.getOrDefault(job.id(), 0);
    }

    static Map<Long, Integer> runs(Handle handle, List<Long> jobs) {
        Map<Long, Integer> runs = new HashMap<>();
        query(handle, RUNS, "jobs", JsonRows.ids(jobs))
                .map((row, context) -> runs.put(row.getLong("job_id"), row.getInt("runs")))
                .list();
        return runs;
    }
}
