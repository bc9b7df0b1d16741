package dev.rowlock.task.store;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.rule.Terms;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/**
 * Inserts of idle tasks and cursors for fire times of schedules, under the stripe rows of their jobs: each row carries
 * all that it has of its job from the start, whether it lies ahead or is due already, so that nobody has to add to it.
 */
public final class NewTasks {

    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, due_at, selector, priority, group_name,
                   jitter_ms, hold, hold_reason, next_fire_time, origin, attempt, cause, state)
            values (:id, :job, :version, :stripe, :fireTime, :due, :selector, :priority, :group, :jitter, %s,
                   :next, '', 1, 'SCHEDULE', 'IDLE')
            """.formatted(HoldStore.pauseValues(":due is null"));
    private static final String INSERT_CURSOR = """
            insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at, selector, priority,
                   group_name, jitter_ms, hold, hold_reason)
            values (:id, :job, :version, :stripe, :fireTime, :due, :selector, :priority, :group, :jitter, %s)
            """.formatted(HoldStore.pauseValues(":due is null"));

    private NewTasks() {}

    /**
     * Row to insert.
     *
     * @param version of the job
     * @param next the fire time that follows it
     * @param cursor whether it is the cursor of the job, and no task yet
     */
    public record NewTask(
            long job,
            int version,
            JobDefinition definition,
            Instant fireTime,
            @Nullable Instant next,
            boolean cursor) {

        /** Returns the cursor of a job that has none. */
        public static NewTask cursor(long job, int version, JobDefinition definition, Instant fireTime) {
            return new NewTask(job, version, definition, fireTime, null, true);
        }
    }

    /** Inserts these rows; those of paused jobs are held. */
    public static void insert(Handle handle, Collection<NewTask> rows) {
        if (rows.isEmpty()) {
            return;
        }
        List<Selector> selectors = rows.stream()
                .map(row -> Selector.parse(row.definition().nodes()))
                .toList();
        Map<Selector, Integer> ids = SelectorStore.idsOf(handle, selectors);
        Iterator<Selector> selector = selectors.iterator();
        PreparedBatch tasks = handle.prepareBatch(INSERT);
        PreparedBatch cursors = handle.prepareBatch(INSERT_CURSOR);
        Iterator<Long> newIds = TaskIds.next(handle, rows.size()).iterator();
        for (NewTask row : rows) {
            Terms terms = Terms.of(row.definition());
            boolean paused = row.definition().paused();
            PreparedBatch batch = row.cursor() ? cursors : tasks.bind("next", SqlTime.textOrNull(row.next()));
            batch.bind("id", newIds.next())
                    .bind("job", row.job())
                    .bind("version", row.version())
                    .bind("stripe", Locks.stripeOf(row.job()))
                    .bind("fireTime", SqlTime.text(row.fireTime()))
                    .bind("due", paused ? null : SqlTime.text(row.fireTime().plus(terms.jitter())))
                    .bind("selector", Objects.requireNonNull(ids.get(selector.next())))
                    .bind("priority", terms.priority())
                    .bind("group", terms.group())
                    .bind("jitter", terms.jitter().toMillis())
                    .add();
        }
        execute(tasks);
        execute(cursors);
    }

    private static void execute(PreparedBatch batch) {
        if (batch.size() > 0) {
            batch.execute();
        }
    }
}
