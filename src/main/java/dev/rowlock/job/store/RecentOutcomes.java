package dev.rowlock.job.store;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.history.OriginSql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Outcomes of the last occurrences of many jobs: so many rows of each are read, however long its history is. */
final class RecentOutcomes {

    /** Range of one job, as neither server can bound a join for each of its rows. */
    private static final String OF_ONE = """
            (select h.job_id, h.fire_time, h.id, h.outcome from task_history h force index (by_job)
              where h.namespace = :namespace%1$s and h.job = :name%1$s
                and h.fire_time >= :created%1$s - interval 1 day and h.job_id = :id%1$s and not h.withdrawn
                and not %2$s
              order by h.fire_time desc, h.id desc limit :most)
            """;
    /** Jobs read by one statement: as many as the page shows at a time. */
    private static final int TOGETHER = 200;
    /** Granularity of a statement's length, as each is parsed and kept: it is filled up with ranges of no job. */
    private static final int STEP = 25;

    private RecentOutcomes() {}

    /** Returns the outcomes by id of the job, the newest last; nothing if {@code most} is 0. */
    static Map<Long, List<String>> of(Handle handle, List<StoredJob> jobs, int most) {
        Map<Long, List<String>> outcomes = new HashMap<>();
        if (most > 0) {
            jobs.forEach(job -> outcomes.put(job.id(), new ArrayList<>()));
            for (int from = 0; from < jobs.size(); from += TOGETHER) {
                read(handle, jobs.subList(from, Math.min(jobs.size(), from + TOGETHER)), most, outcomes);
            }
            outcomes.values().forEach(Collections::reverse);
        }
        return outcomes;
    }

    private static void read(Handle handle, List<StoredJob> jobs, int most, Map<Long, List<String>> outcomes) {
        List<String> ranges = new ArrayList<>();
        int count = (jobs.size() + STEP - 1) / STEP * STEP;
        for (int i = 0; i < count; i++) {
            ranges.add(OF_ONE.formatted(i, OriginSql.isBackfill("h")));
        }
        Query query =
                handle.createQuery(String.join(" union all ", ranges) + " order by job_id, fire_time desc, id desc");
        query.bind("most", most);
        for (int i = 0; i < count; i++) {
            StoredJob job = jobs.get(Math.min(i, jobs.size() - 1));
            query.bind("namespace" + i, i < jobs.size() ? job.key().namespace() : "")
                    .bind("name" + i, i < jobs.size() ? job.key().name() : "")
                    .bind("created" + i, SqlTime.text(job.createdAt()))
                    .bind("id" + i, i < jobs.size() ? job.id() : 0);
        }
        query.map((row, context) -> Map.entry(row.getLong("job_id"), row.getString("outcome")))
                .forEach(row -> outcomes.computeIfAbsent(row.getKey(), id -> new ArrayList<>())
                        .add(row.getValue()));
    }
}
