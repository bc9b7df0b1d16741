package dev.rowlock.store.task;

import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.TaskState;
import dev.rowlock.store.history.Spans;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** The live tasks of one job, within one transaction that holds the job's shard row. Rows that are executing are never touched. */
public final class JobTasks {

    private static final String LIVE = """
            select id, fire_time, next_fire_time, origin, attempt, cause, state,
                   state = 'EXECUTING' or started_at is not null as started, cursor_of
              from task where job_id = :job order by fire_time, id
            """;
    private static final String DUE_AGAIN = """
            update task set due_at = if(origin = '' and attempt = 1, greatest(fire_time, :now), :now)
             where job_id = :job and state = 'IDLE' and due_at > :now and not (origin = '' and attempt = 1 and due_at <= fire_time)
            """;

    private static final String UNPREPARE = """
            update task set state = 'IDLE', launch_id = null, session_id = null, prepared_at = null
             where job_id = :job and state = 'PREPARED'
            """;
    private static final String ADOPT =
            "update task set job_version = :version where job_id = :job and state <> 'EXECUTING'";
    private static final String INSERT = """
            insert into task (job_id, job_version, shard, fire_time, origin, attempt, cause, due_at, state, cursor_of)
            values (:job, :version, :shard, :fireTime, :origin, 1, :cause, :fireTime, 'IDLE', :cursorOf)
            """;
    private static final String INSERT_LINKED = """
            insert into task (job_id, job_version, shard, fire_time, next_fire_time, attempt, cause, due_at, state)
            values (:job, :version, :shard, :fireTime, :next, 1, 'SCHEDULE', :fireTime, 'IDLE')
            """;
    private static final String MOVE =
            "update task set fire_time = :fireTime, due_at = :fireTime, waits_for = null where id = :id and state = 'IDLE'";
    private static final String UNFLAG = "update task set cursor_of = null where id = :id";
    private static final String LINK = "update task set next_fire_time = :next where id = :id";
    private static final String DELETE = "delete from task where id = :id and state <> 'EXECUTING'";
    private static final String RECORD = """
            insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt, cause,
                   outcome, reason, due_at, ended_at, occurrences, last_fire_time)
            select t.id, t.job_id, :namespace, :name, t.job_version, t.fire_time, t.next_fire_time, t.origin, t.attempt, t.cause,
                   :outcome, :reason, t.due_at, :now, :occurrences, coalesce(:last, t.fire_time)
              from task t where t.id = :id and t.state <> 'EXECUTING'
            """;
    private static final String PARK = """
            update task t set t.due_at = null, t.waits_for = :pause where t.job_id = :job and t.state = 'IDLE' and %s
               and t.started_at is null
            """.formatted(Pause.CONCERNS);
    private static final String UNPARK = """
            update task t set t.due_at = %s, t.waits_for = null where t.job_id = :job and t.state = 'IDLE' and t.waits_for = :pause
            """.formatted(Asides.DUE_AGAIN);

    private final Handle handle;
    private final long job;
    private final JobKey key;
    private final Instant now;

    public JobTasks(Handle handle, long job, JobKey key, Instant now) {
        this.handle = handle;
        this.job = job;
        this.key = key;
        this.now = now;
    }

    /** All of them, by fire time. */
    public List<JobTask> live() {
        return handle.createQuery(LIVE)
                .bind("job", job)
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

    /** What is due later than at its fire time, or later than it was asked for, because the clock was ahead then, is due now. */
    public void dueAgain() {
        handle.createUpdate(DUE_AGAIN)
                .bind("now", SqlTime.text(now))
                .bind("job", job)
                .execute();
    }

    /** Prepared → idle, without a claim: whoever prepared them finds out when it wants to fire. */
    public void unprepare() {
        handle.createUpdate(UNPREPARE).bind("job", job).execute();
    }

    /** What is not executing belongs to this version from now on, and what was set aside gets another chance. */
    public void adopt(int version) {
        handle.createUpdate(ADOPT).bind("version", version).bind("job", job).execute();
        free();
    }

    /** What was set aside is tried again: at once, unless the job is paused, and the loss of what was started within seconds. */
    public void free() {
        Asides.free(handle, job);
    }

    /** A new idle row, due at its fire time; it answers its id. */
    public long insert(int version, Instant fireTime, String origin, Cause cause, boolean cursor) {
        return handle.createUpdate(INSERT)
                .bind("job", job)
                .bind("version", version)
                .bind("shard", Locks.shardOf(job))
                .bind("fireTime", SqlTime.text(fireTime))
                .bind("origin", origin)
                .bind("cause", cause.name())
                .bind("cursorOf", cursor ? Long.valueOf(job) : null)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
    }

    /** New idle rows of the schedule, each with the fire time that follows it. */
    public void insert(int version, SortedMap<Instant, @Nullable Instant> rows) {
        if (rows.isEmpty()) {
            return;
        }
        PreparedBatch batch = handle.prepareBatch(INSERT_LINKED);
        rows.forEach((fireTime, next) -> batch.bind("job", job)
                .bind("version", version)
                .bind("shard", Locks.shardOf(job))
                .bind("fireTime", SqlTime.text(fireTime))
                .bind("next", SqlTime.textOrNull(next))
                .add());
        batch.execute();
    }

    public void move(JobTask task, Instant fireTime) {
        one(
                "moving",
                task.id(),
                handle.createUpdate(MOVE)
                        .bind("fireTime", SqlTime.text(fireTime))
                        .bind("id", task.id())
                        .execute());
    }

    /** Takes the cursor off a row; the caller gives it to another, or the job has none any more. */
    public void unflag(JobTask task) {
        handle.createUpdate(UNFLAG).bind("id", task.id()).execute();
    }

    public void link(long id, @Nullable Instant next) {
        handle.createUpdate(LINK)
                .bind("next", SqlTime.textOrNull(next))
                .bind("id", id)
                .execute();
    }

    /** Forgets a row that nobody was promised anything by: a cursor that lies in the future. */
    public void delete(long id) {
        one("deleting", id, handle.createUpdate(DELETE).bind("id", id).execute());
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
        int recorded = handle.createUpdate(RECORD)
                .bind("namespace", key.namespace())
                .bind("name", key.name())
                .bind("outcome", outcome.name())
                .bind("reason", reason)
                .bind("now", SqlTime.text(now))
                .bind("occurrences", occurrences)
                .bind("last", SqlTime.textOrNull(last))
                .bind("id", id)
                .execute();
        one("recording", id, recorded);
        if (occurrences > 1) {
            Spans.note(handle, List.of(id));
        }
        delete(id);
    }

    /** Holds back what a pause holds. */
    public void park() {
        handle.createUpdate(PARK).bind("pause", Pause.REASON).bind("job", job).execute();
    }

    /** Lets go what was held: occurrences at their fire time, retries and recoveries now. */
    public void unpark() {
        handle.createUpdate(UNPARK).bind("job", job).bind("pause", Pause.REASON).execute();
    }

    private static void one(String what, long id, int rows) {
        if (rows != 1) {
            throw new IllegalStateException(what + " task " + id + " under its shard row changed " + rows + " rows");
        }
    }
}
