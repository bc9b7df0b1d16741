package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.job.Cause;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Overrides;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.TaskHistory.NotRun;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The live tasks of one job, under its stripe row. Rows that are executing are never touched. */
public final class JobTasks {

    private static final String INSERT = """
            insert into task (id, job_id, job_version, stripe, fire_time, origin, attempt, cause, due_at, state,
                   selector, priority, group_name)
            values (:id, :job, :version, :stripe, :fireTime, :origin, 1, :cause, :fireTime, 'IDLE',
                   :selector, :priority, :group)
            """;
    private static final String OVERRIDE = "update task set overrides = :overrides, needs = :needs where id = :id";
    private static final String SELECT = "update task set selector = :selector where id = :id";

    private final Handle handle;
    private final long job;
    private final Instant now;
    private final JobDefinition definition;

    /** @param definition of the job, which new ones go by */
    public JobTasks(Handle handle, long job, JobDefinition definition, Instant now) {
        this.handle = handle;
        this.job = job;
        this.definition = definition;
        this.now = now;
    }

    /** All of them, by fire time. */
    public List<Task> live() {
        return TasksOfJobs.live(handle, job);
    }

    /** What is due later than it was asked for, because the clock was ahead then, is due as if it had been right. */
    public void dueAgain() {
        LateTasks.putRight(handle, job, now);
    }

    /** What was set aside is tried again: at once, or, if it was started, within seconds as a loss. */
    public int free() {
        return Asides.free(handle, List.of(job));
    }

    /** What waits by policy is decided again: what it waited for may have gone, or may no longer be asked for. */
    public void decideAgain() {
        TasksOfJobs.decideAgain(handle, List.of(job));
    }

    /** Makes the cursor of a job that has none, see {@link NewTasks}. */
    public void insertCursor(int version, Instant fireTime) {
        NewTasks.insert(handle, List.of(NewTasks.Row.cursor(job, version, definition, fireTime)));
    }

    /** Makes an idle row that has no jitter, and is due at its fire time; it answers its id. */
    public long insert(int version, Instant fireTime, Origin origin, Cause cause) {
        long id = TaskIds.next(handle);
        handle.createUpdate(INSERT)
                .bind("id", id)
                .bind("job", job)
                .bind("version", version)
                .bind("stripe", Locks.stripeOf(job))
                .bind("fireTime", SqlTime.text(fireTime))
                .bind("origin", origin.text())
                .bind("cause", cause.name())
                .bind("selector", SelectorStore.idOf(handle, nodes()))
                .bind("priority", definition.priority())
                .bind("group", definition.group())
                .execute();
        return id;
    }

    private Selector nodes() {
        return Selector.parse(definition.nodes());
    }

    /** This one run goes by what somebody asked for; older nodes, which know nothing of that, leave it alone. */
    public void override(long id, Overrides overrides) {
        update(handle, OVERRIDE, "overrides", overrides.text(), "needs", FeatureLevel.POLICIES, "id", id);
        if (overrides.node() != null) {
            update(handle, SELECT, "selector", SelectorStore.idOf(handle, nodes().on(overrides.node())), "id", id);
        }
    }

    /** Makes a task of where the cursor stands; the caller makes another one, or the job has none any more. */
    public void leaveCursor(Task task) {
        Cursors.toTasks(handle, List.of(task.id()));
    }

    public void link(long id, @Nullable Instant next) {
        TaskRows.link(handle, List.of(new TaskRows.At(id, next)));
    }

    /** The row becomes history. */
    public void end(long id, Outcome outcome, String reason) {
        TaskRows.endWaiting(handle, List.of(new NotRun(id, outcome, reason, now, 1, null, null)));
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
