package dev.rowlock.task.rerun;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.Overrides;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.Origin;
import dev.rowlock.task.rule.RerunDecision.Original;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.SelectorStore;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** Reruns of tasks of one job, under its stripe row. */
public final class RerunTasks {

    /**
     * Insert of a row that is due now, whatever its fire time; it waits for others of its job, and a task that waits by
     * policy is no misfire.
     */
    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, queued_at,
                   state, selector, priority, group_name, overrides, needs)
            values (:id, :job, :version, :stripe, :fireTime, :origin, :attempt, 'MANUAL', :now, :now, 'IDLE',
                   :selector, :priority, :group, :overrides, %s)
            """.formatted(FeatureLevel.POLICIES);

    private static final String OVERRIDES = """
            select h.id, h.overrides
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_history h force index (primary) on h.id = v.id
             where h.overrides is not null
            """;

    private final Handle handle;
    private final StoredJob job;
    private final Instant now;

    /**
     * Creates it for a job.
     *
     * @param job as it is, which the new tasks belong to
     */
    public RerunTasks(Handle handle, StoredJob job, Instant now) {
        this.handle = handle;
        this.job = job;
        this.now = now;
    }

    /** Returns these tasks as they stand under the lock, earliest fire time first. */
    public List<Original> originals(Collection<Long> ids) {
        return RerunQueries.originals(handle, ids);
    }

    /** Returns the overrides of these runs, where they have any. */
    public Map<Long, String> overrides(Collection<Long> ids) {
        Map<Long, String> found = new HashMap<>();
        query(handle, OVERRIDES, "ids", JsonRows.ids(ids))
                .map((row, context) -> found.put(row.getLong("id"), row.getString("overrides")))
                .list();
        return found;
    }

    /**
     * Inserts an idle row that is due now and waits for the others of its job.
     *
     * @param original the task that it repeats; if that was repeated before, the new row is a further attempt
     * @param overrides other differences from the job
     * @return its id
     */
    public long insert(Original original, Origin origin, Overrides overrides) {
        Overrides queued = new Overrides(overrides.command(), overrides.env(), overrides.node(), Overlap.QUEUE);
        Selector nodes = Selector.parse(job.definition().nodes());
        Selector where = overrides.node() == null ? nodes : nodes.on(overrides.node());
        long id = TaskIds.next(handle);
        handle.createUpdate(INSERT)
                .bind("id", id)
                .bind("job", job.id())
                .bind("version", job.version())
                .bind("stripe", Locks.stripeOf(job.id()))
                .bind("fireTime", SqlTime.text(original.lastFireTime()))
                .bind("origin", origin.text())
                .bind("attempt", original.attempts() + 1)
                .bind("now", SqlTime.text(now))
                .bind("selector", SelectorStore.idOf(handle, where))
                .bind("priority", job.definition().priority())
                .bind("group", job.definition().group())
                .bind("overrides", queued.text())
                .execute();
        return id;
    }

    /** Returns what a request has made so far, as {@link RerunQueries#made} does. */
    public Map<Long, Long> made(String key) {
        return RerunQueries.made(handle, key);
    }

    /** Notes that a request made that task, so that its repetition is answered with it. */
    public void remember(String key, long original, long task) {
        RerunQueries.remember(handle, key, original, task);
    }
}
