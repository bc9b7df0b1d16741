package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.SmallDefinition;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Update of tasks whose job was changed while they executed. A change leaves those alone, and a further attempt
 * inherits from the one before it: it would go by the job as it was when that one started, and so would a task that is
 * given back because it never started. What comes after the change has the job's present priority, group and nodes.
 */
final class ChangedMeanwhile {

    private static final String CHANGED = """
            select j.id, j.namespace, j.name, %s as definition
              from (select distinct t.job_id, t.job_version
                      from json_table(:tasks, '$[*]' columns (id bigint path '$')) v
                      straight_join task t force index (primary) on t.id = v.id) d
              straight_join job j on j.id = d.job_id
             where j.version <> d.job_version
            """.formatted(SmallDefinition.of("j.definition"));

    /** Fields stamped on tasks. A value of theirs that this version does not understand cannot be written to a task. */
    private static final Set<String> STAMPED = Set.of("priority", "group", "jitter");

    private ChangedMeanwhile() {}

    /**
     * Stamps the present terms of their jobs on tasks.
     *
     * @param tasks that end and are retried, or no longer execute, under their stripe rows
     */
    static void stamp(Handle handle, Collection<Long> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        Map<Long, JobDefinition> jobs = new HashMap<>();
        Map<Long, Selector> nodes = new HashMap<>();
        query(handle, CHANGED, "tasks", JsonRows.ids(tasks))
                .map((row, context) -> {
                    long id = row.getLong("id");
                    JobKey key = new JobKey(row.getString("namespace"), row.getString("name"));
                    StoredDefinition stored = StoredDefinition.read(key, row.getString("definition"), false);
                    if (!stored.foreign().containsKey("nodes")) {
                        nodes.put(id, Selector.parse(stored.definition().nodes()));
                    }
                    if (Collections.disjoint(stored.foreign().keySet(), STAMPED)) {
                        jobs.put(id, stored.definition());
                    }
                    return id;
                })
                .list();
        if (!jobs.isEmpty()) {
            TasksOfJobs.stamp(handle, jobs, SqlTime.now(handle));
        }
        TasksOfJobs.placeOn(handle, nodes);
    }
}
