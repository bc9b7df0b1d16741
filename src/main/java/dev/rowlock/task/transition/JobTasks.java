package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.db.TaskIds;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.Overrides;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.TaskHistory.NotRun;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.NewTasks;
import dev.rowlock.task.store.NewTasks.NewTask;
import dev.rowlock.task.store.SelectorStore;
import dev.rowlock.task.store.TaskRows;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Live tasks of one job, under its stripe row. Executing rows are never touched. */
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

    /**
     * Gives access to the tasks of a job.
     *
     * @param definition of the job, for new tasks
     */
    public JobTasks(Handle handle, long job, JobDefinition definition, Instant now) {
        this.handle = handle;
        this.job = job;
        this.definition = definition;
        this.now = now;
    }

    /** Returns all of them, by fire time. */
    public List<Task> live() {
        return TasksOfJobs.live(handle, job);
    }

    /** Makes tasks due as if the clock had been right that was ahead when they were requested. */
    public void dueAgain() {
        LateTasks.putRight(handle, job, now);
    }

    /** Retries what was set aside: at once, or, if it was started, within seconds as a loss. */
    public int free() {
        return Asides.free(handle, List.of(job));
    }

    /** Has the tasks that wait by policy decided again: what they waited for may be gone, or no longer required. */
    public void decideAgain() {
        TasksOfJobs.decideAgain(handle, List.of(job));
    }

    /** Inserts the cursor of a job that has none, see {@link NewTasks}. */
    public void insertCursor(int version, Instant fireTime) {
        NewTasks.insert(handle, List.of(NewTask.cursor(job, version, definition, fireTime)));
    }

    /** Inserts an idle row without jitter, due at its fire time, and returns its id. */
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

    /**
     * Overrides the job's definition for this one run; older nodes, which do not understand overrides, leave it alone.
     */
    public void override(long id, Overrides overrides) {
        update(handle, OVERRIDE, "overrides", overrides.text(), "needs", FeatureLevel.POLICIES, "id", id);
        if (overrides.node() != null) {
            update(handle, SELECT, "selector", SelectorStore.idOf(handle, nodes().on(overrides.node())), "id", id);
        }
    }

    /** Makes a task of where the cursor stands; the caller makes another cursor, or the job no longer has one. */
    public void leaveCursor(Task task) {
        Cursors.toTasks(handle, List.of(task.id()));
    }

    /**
     * Sets the fire time that was made with the row, so that the chain has no gap.
     *
     * @param next null: none came after it
     */
    public void link(long id, @Nullable Instant next) {
        TaskRows.link(handle, List.of(new TaskRows.At(id, next)));
    }

    /** Moves the row to history. */
    public void end(long id, Outcome outcome, String reason) {
        TaskRows.endWaiting(handle, List.of(new NotRun(id, outcome, reason, now, 1, null, null)));
    }

    /**
     * Moves the row to history, for itself and further fire times.
     *
     * @param last the last of them; null: its own
     */
    public void end(long id, Outcome outcome, String reason, long occurrences, @Nullable Instant last) {
        TaskRows.end(handle, List.of(new NotRun(id, outcome, reason, now, occurrences, last, null)));
    }

    /** Holds the tasks that a pause concerns and that nothing but policies hold. */
    public void park() {
        TasksOfJobs.park(handle, List.of(job));
    }
}
