package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.Hold;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobTask;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Overrides;
import dev.rowlock.job.TaskState;
import dev.rowlock.policy.Jitter;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.DueTime;
import dev.rowlock.store.history.TaskHistory;
import dev.rowlock.store.history.TaskHistory.NotRun;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** The live tasks of one job, under its shard row. Rows that are executing are never touched. */
public final class JobTasks {

    private static final String LIVE = """
            select id, fire_time, next_fire_time, origin, attempt, cause, state,
                   state = 'EXECUTING' or started_at is not null as started, cursor_of
              from task where job_id = :job order by fire_time, id
            """;
    private static final String DUE_AGAIN = """
            update task t set t.due_at = if(t.origin = '' and t.attempt = 1, greatest(%1$s, :now), :now)
             where t.job_id = :job and t.state = 'IDLE' and t.due_at > :now and t.hold is null
               and not (t.origin = '' and t.attempt = 1 and t.due_at <= %1$s)
            """.formatted(DueTime.SCHEDULED);
    private static final String UNPREPARE = """
            update task set state = 'IDLE', launch_id = null, session_id = null, prepared_at = null
             where job_id = :job and state = 'PREPARED'
            """;
    private static final String ADOPT =
            "update task set job_version = :version where job_id = :job and state <> 'EXECUTING'";
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
    private static final String SELECTORS =
            "select distinct selector from task where job_id = :job and state <> 'EXECUTING' and selector <> :selector";
    private static final String PLACE = """
            update task set selector = :selector
             where job_id = :job and state <> 'EXECUTING' and selector = :former
            """;
    private static final String AWAIT_NO_NODE = """
            delete w from task t join task_wait w on w.task_id = t.id
             where t.job_id = :job and w.awaited like 'selector:%'
            """;
    /** It is another occurrence then: nothing that held the one before holds this. */
    private static final String MOVE = "update task set fire_time = :fireTime, due_at = :fireTime,"
            + " jitter_ms = 0, waits_for = null where id = :id and state = 'IDLE'";

    private static final String UNFLAG = "update task set cursor_of = null where id = :id";
    private static final String LINK = "update task set next_fire_time = :next where id = :id";
    private static final String DELETE = "delete from task where id = :id and state <> 'EXECUTING'";
    private static final String PARK = """
            update task t set t.due_at = null, t.waits_for = '%s'
             where t.job_id = :job and t.state = 'IDLE' and (t.hold is null or %s) and %s and t.started_at is null
            """.formatted(Holds.PAUSED, Holds.BY_POLICY, Pause.CONCERNS);
    /** What waits behind its fire time already is due as before: a change never fires the past. */
    private static final String STAMP = """
            update task t
               set t.priority = :priority, t.group_name = :group,
                   t.due_at = if(t.due_at is not null and %1$s, t.fire_time + interval :jitter * 1000 microsecond,
                      t.due_at),
                   t.jitter_ms = if(%1$s, :jitter, t.jitter_ms)
             where t.job_id = :job and t.state <> 'EXECUTING'
               and not (t.priority = :priority and t.group_name <=> :group and t.jitter_ms = :jitter)
            """.formatted(
                    "(t.state = 'IDLE' and t.fire_time > :now and t.origin = '' and t.attempt = 1"
                            + " and t.cause = 'SCHEDULE')");

    private static final String DECIDE_AGAIN = """
            update task t set t.due_at = utc_timestamp(3), t.waits_for = null
             where t.job_id = :job and t.state = 'IDLE' and %s
            """.formatted(Holds.BY_POLICY);
    private static final String UNPARK = """
            update task t set t.due_at = %s, t.waits_for = null where t.job_id = :job and t.state = 'IDLE' and %s
            """.formatted(Asides.DUE_AGAIN, Holds.is(Hold.PAUSE));

    private static final String OVERRIDE = "update task set overrides = :overrides, needs = :needs where id = :id";
    private static final String SELECT = "update task set selector = :selector where id = :id";

    private final Handle handle;
    private final long job;
    private final Instant now;
    private Selector nodes;

    /** @param nodes which nodes may run them */
    public JobTasks(Handle handle, long job, Selector nodes, Instant now) {
        this.nodes = nodes;
        this.handle = handle;
        this.job = job;
        this.now = now;
    }

    /** All of them, by fire time. */
    public List<JobTask> live() {
        return query(handle, LIVE, "job", job)
                .map((row, context) -> new JobTask(
                        row.getLong("id"),
                        SqlTime.read(row, "fire_time"),
                        SqlTime.readOrNull(row, "next_fire_time"),
                        row.getString("origin"),
                        row.getInt("attempt"),
                        Cause.valueOf(row.getString("cause")),
                        TaskState.valueOf(row.getString("state")),
                        row.getBoolean("started"),
                        row.getString("cursor_of") != null))
                .list();
    }

    /** What is due later than it was asked for, because the clock was ahead then, is due now. */
    public void dueAgain() {
        update(handle, DUE_AGAIN, "now", SqlTime.text(now), "job", job);
    }

    /** Prepared → idle, without a claim: whoever prepared them finds out when it wants to fire. */
    public void unprepare() {
        update(handle, UNPREPARE, "job", job);
    }

    /** What is not executing belongs to this version from now on, and what was set aside gets another chance. */
    public void adopt(int version) {
        update(handle, ADOPT, "version", version, "job", job);
        decideAgain();
        free();
    }

    /** These nodes may run what is not executing from now on; a run on one certain node stays with it. */
    public void placeOn(Selector other) {
        nodes = other;
        int id = SelectorStore.idOf(handle, other);
        List<Integer> former = query(handle, SELECTORS, "job", job, "selector", id)
                .mapTo(Integer.class)
                .list();
        if (!former.isEmpty()) {
            SelectorStore.read(handle, former)
                    .forEach((from, selector) -> update(
                            handle,
                            PLACE,
                            "selector",
                            SelectorStore.idOf(handle, selector.sameNode(other)),
                            "job",
                            job,
                            "former",
                            from));
        }
    }

    /** What does not execute has the priority and the group of its job from now on, and its jitter if it lies ahead. */
    public void stamp(JobDefinition definition) {
        handle.createUpdate(STAMP)
                .bind("priority", definition.priority())
                .bind("group", definition.group())
                .bind("jitter", Jitter.offset(definition).toMillis())
                .bind("now", SqlTime.text(now))
                .bind("job", job)
                .execute();
    }

    /** What waits by policy is decided again: what it waited for may have gone, or may no longer be asked for. */
    public void decideAgain() {
        if (update(handle, DECIDE_AGAIN, "job", job) > 0) {
            update(handle, AWAIT_NO_NODE, "job", job);
        }
    }

    /** What was set aside is tried again: at once, or, if it was started, within seconds as a loss. */
    public int free() {
        return Asides.free(handle, job);
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

    public void move(JobTask task, Instant fireTime) {
        one("moving", task.id(), update(handle, MOVE, "fireTime", SqlTime.text(fireTime), "id", task.id()));
    }

    /** Takes the cursor off a row; the caller gives it to another, or the job has none any more. */
    public void unflag(JobTask task) {
        update(handle, UNFLAG, "id", task.id());
    }

    public void link(long id, @Nullable Instant next) {
        update(handle, LINK, "next", SqlTime.textOrNull(next), "id", id);
    }

    /** Forgets a row that nobody was promised anything by: a cursor that lies in the future. */
    public void delete(long id) {
        one("deleting", id, update(handle, DELETE, "id", id));
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
        TaskHistory.writeNotRun(handle, List.of(new NotRun(id, outcome, reason, now, occurrences, last, null)));
        delete(id);
    }

    /** Holds back what a pause holds, and policies at most. */
    public void park() {
        update(handle, PARK, "job", job);
    }

    /** Lets go what was held: occurrences at their fire time, retries and recoveries now. */
    public void unpark() {
        update(handle, UNPARK, "job", job);
    }

    private static void one(String what, long id, int rows) {
        if (rows != 1) {
            throw new IllegalStateException(what + " task " + id + " under its shard row changed " + rows + " rows");
        }
    }
}
