package dev.rowlock.store.task;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.policy.Jitter;
import dev.rowlock.policy.Selector;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** The rows from which the occurrences of new jobs will come, written together as {@link JobTasks} writes each. */
public final class NewTasks {

    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, state, cursor_of,
                   selector, priority, group_name, jitter_ms, waits_for)
            values (:job, :version, :shard, :fireTime, '', 1, 'SCHEDULE', :due, 'IDLE', :job,
                   :selector, :priority, :group, :jitter, :waitsFor)
            """;

    private NewTasks() {}

    /** @param fireTime its first, which lies ahead */
    public record First(JobAtVersion job, JobDefinition definition, Instant fireTime) {}

    /** Inserts them; of a job that is paused, held. */
    public static void insert(Handle handle, Collection<First> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        Map<First, Selector> selectors = tasks.stream()
                .collect(Collectors.toMap(
                        task -> task, task -> Selector.parse(task.definition().nodes())));
        Map<Selector, Integer> ids = SelectorStore.idsOf(handle, List.copyOf(selectors.values()));
        PreparedBatch batch = handle.prepareBatch(INSERT);
        for (First task : tasks) {
            JobDefinition definition = task.definition();
            Duration jitter = Jitter.offset(definition);
            boolean paused = definition.paused();
            batch.bind("job", task.job().jobId())
                    .bind("version", task.job().version())
                    .bind("shard", Locks.shardOf(task.job().jobId()))
                    .bind("fireTime", SqlTime.text(task.fireTime()))
                    .bind("due", paused ? null : SqlTime.text(task.fireTime().plus(jitter)))
                    .bind("selector", Objects.requireNonNull(ids.get(selectors.get(task))))
                    .bind("priority", definition.priority())
                    .bind("group", definition.group())
                    .bind("jitter", jitter.toMillis())
                    .bind("waitsFor", paused ? Holds.PAUSED : null)
                    .add();
        }
        batch.execute();
    }
}
