package dev.rowlock.store.task;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.policy.Selector;
import dev.rowlock.policy.Terms;
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
 * Idle rows of what schedules ask for, under the stripe rows of their jobs: each with all that it has of its job from
 * the first, whether it lies ahead or is due already, so that nobody has to add to it.
 */
public final class NewTasks {

    private static final String INSERT = """
            insert into task (job_id, job_version, stripe, fire_time, next_fire_time, origin, attempt, cause, due_at,
                   state, cursor_of, selector, priority, group_name, jitter_ms, hold, hold_reason)
            values (:job, :version, :stripe, :fireTime, :next, '', 1, 'SCHEDULE', :due,
                   'IDLE', :cursorOf, :selector, :priority, :group, :jitter, %s)
            """.formatted(Holds.pauseValues(":due is null"));

    private NewTasks() {}

    /**
     * One of them.
     *
     * @param version of the job, which it belongs to
     * @param next the fire time that follows it
     * @param cursor whether the job's next occurrence will be made from it
     */
    public record Row(
            long job,
            int version,
            JobDefinition definition,
            Instant fireTime,
            @Nullable Instant next,
            boolean cursor) {

        /** Returns the row from which a job's next occurrences will be made. */
        public static Row cursor(long job, int version, JobDefinition definition, Instant fireTime) {
            return new Row(job, version, definition, fireTime, null, true);
        }
    }

    /** Inserts them; of a job that is paused, held. */
    public static void insert(Handle handle, Collection<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        List<Selector> selectors = rows.stream()
                .map(row -> Selector.parse(row.definition().nodes()))
                .toList();
        Map<Selector, Integer> ids = SelectorStore.idsOf(handle, selectors);
        Iterator<Selector> selector = selectors.iterator();
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (Row row : rows) {
            Terms terms = Terms.of(row.definition());
            boolean paused = row.definition().paused();
            batch.bind("job", row.job())
                    .bind("version", row.version())
                    .bind("stripe", Locks.stripeOf(row.job()))
                    .bind("fireTime", SqlTime.text(row.fireTime()))
                    .bind("next", SqlTime.textOrNull(row.next()))
                    .bind("due", paused ? null : SqlTime.text(row.fireTime().plus(terms.jitter())))
                    .bind("cursorOf", row.cursor() ? Long.valueOf(row.job()) : null)
                    .bind("selector", Objects.requireNonNull(ids.get(selector.next())))
                    .bind("priority", terms.priority())
                    .bind("group", terms.group())
                    .bind("jitter", terms.jitter().toMillis())
                    .add();
        }
        batch.execute();
    }
}
