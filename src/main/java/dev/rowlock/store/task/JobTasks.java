package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobTask;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Overrides;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.DueTime;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** The live tasks of one job, under its shard row. Rows that are executing are never touched. */
public final class JobTasks {

    private static final String DUE_AGAIN = """
            update task t set t.due_at = if(t.origin = '' and t.attempt = 1, greatest(%1$s, :now), :now)
             where t.job_id = :job and t.state = 'IDLE' and t.due_at > :now and t.hold is null
               and not (t.origin = '' and t.attempt = 1 and t.due_at <= %1$s)
            """.formatted(DueTime.SCHEDULED);
    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, state, cursor_of,
                   selector)
            values (:job, :version, :shard, :fireTime, :origin, 1, :cause, :fireTime, 'IDLE', :cursorOf, :selector)
            """;
    private static final String INSERT_LINKED = """
            insert into task (job_id, job_version, shard, fire_time, next_fire_time, attempt, cause, due_at, state,
                   selector)
            values (:job, :version, :shard, :fireTime, :next, 1, 'SCHEDULE', :fireTime, 'IDLE', :selector)
            """;
    private static final String OVERRIDE = "update task set overrides = :overrides, needs = :needs where id = :id";
    private static final String SELECT = "update task set selector = :selector where id = :id";

    private final Handle handle;
    private final long job;
    private final Instant now;
    private final Selector nodes;

    /** @param nodes which nodes may run them */
    public JobTasks(Handle handle, long job, Selector nodes, Instant now) {
        this.nodes = nodes;
        this.handle = handle;
        this.job = job;
        this.now = now;
    }

    /** All of them, by fire time. */
    public List<JobTask> live() {
        return TasksOfJobs.live(handle, job);
    }

    /** What is due later than it was asked for, because the clock was ahead then, is due now. */
    public void dueAgain() {
        update(handle, DUE_AGAIN, "now", SqlTime.text(now), "job", job);
    }

    /** What was set aside is tried again: at once, or, if it was started, within seconds as a loss. */
    public int free() {
        return Asides.free(handle, List.of(job));
    }

    /** What does not execute has the priority and the group of its job from now on, and its jitter if it lies ahead. */
    public void stamp(JobDefinition definition) {
        TasksOfJobs.stamp(handle, Map.of(job, definition), now);
    }

    /** What waits by policy is decided again: what it waited for may have gone, or may no longer be asked for. */
    public void decideAgain() {
        TasksOfJobs.decideAgain(handle, List.of(job));
    }

    /** A new idle row, due at its fire time until {@link #stamp} says otherwise; it answers its id. */
    public long insert(int version, Instant fireTime, String origin, Cause cause, boolean cursor) {
        return handle.createUpdate(INSERT)
                .bind("job", job)
                .bind("version", version)
                .bind("shard", Locks.shardOf(job))
                .bind("fireTime", SqlTime.text(fireTime))
                .bind("origin", origin)
                .bind("cause", cause.name())
                .bind("cursorOf", cursor ? Long.valueOf(job) : null)
                .bind("selector", SelectorStore.idOf(handle, nodes))
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
    }

    /** This one run goes by what somebody asked for; older nodes, which know nothing of that, leave it alone. */
    public void override(long id, Overrides overrides) {
        update(handle, OVERRIDE, "overrides", overrides.text(), "needs", Needs.POLICIES, "id", id);
        if (overrides.node() != null) {
            update(handle, SELECT, "selector", SelectorStore.idOf(handle, nodes.on(overrides.node())), "id", id);
        }
    }

    /** New idle rows of the schedule, each with the fire time that follows it; due like those of the other call. */
    public void insert(int version, SortedMap<Instant, @Nullable Instant> rows) {
        if (rows.isEmpty()) {
            return;
        }
        int selector = SelectorStore.idOf(handle, nodes);
        PreparedBatch batch = handle.prepareBatch(INSERT_LINKED);
        rows.forEach((fireTime, next) -> batch.bind("job", job)
                .bind("version", version)
                .bind("shard", Locks.shardOf(job))
                .bind("fireTime", SqlTime.text(fireTime))
                .bind("next", SqlTime.textOrNull(next))
                .bind("selector", selector)
                .add());
        batch.execute();
    }

    /** Takes the cursor off a row; the caller gives it to another, or the job has none any more. */
    public void unflag(JobTask task) {
        TaskRows.unflag(handle, List.of(task.id()));
    }

    public void link(long id, @Nullable Instant next) {
        TaskRows.link(handle, List.of(new TaskRows.At(id, next)));
    }

    /** The row becomes history. */
    public void end(long id, Outcome outcome, String reason) {
        end(id, outcome, reason, 1, null);
    }

    /**
     * The row becomes history, for itself and further fire times.
     *
     * @param last the last of them; null: its own
     */
    public void end(long id, Outcome outcome, String reason, long occurrences, @Nullable Instant last) {
        TaskRows.end(handle, List.of(new NotRun(id, outcome, reason, now, occurrences, last, null)));
    }

    /** Holds back what a pause holds, and policies at most. */
    public void park() {
        TasksOfJobs.park(handle, List.of(job));
    }
}
