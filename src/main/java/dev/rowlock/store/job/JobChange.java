package dev.rowlock.store.job;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Pause;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.ReschedulingPlan;
import dev.rowlock.store.audit.Subject;
import dev.rowlock.store.history.HistoryAhead;
import dev.rowlock.store.task.JobTasks;
import dev.rowlock.store.task.RerunTasks;
import dev.rowlock.task.Task;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** A job within one transaction that holds its stripe row: nobody else changes it, or any task of it. */
public final class JobChange {

    private static final String REMEMBERED =
            "select idem_key, task_id from idempotency_key where job_id = :job and idem_key like concat(:key, '=%')";
    private static final String REMEMBER = """
            insert into idempotency_key (job_id, idem_key, task_id, created_at) values (:job, :key, :task, :now)
            """;

    private final Handle handle;
    private final StoredJob job;
    private final LockedJobs locked;
    private final JobWrites writes;
    private final JobTasks tasks;

    /**
     * @param locked it, and those that change with it
     * @param writes what becomes of them all
     */
    JobChange(Handle handle, StoredJob job, LockedJobs locked, JobWrites writes) {
        this.handle = handle;
        this.job = job;
        this.locked = locked;
        this.writes = writes;
        this.tasks = new JobTasks(handle, job.id(), job.definition(), writes.now());
    }

    /** The job as it is at this moment. */
    public StoredJob job() {
        return job;
    }

    /** The database's time, read in this transaction. */
    public Instant now() {
        return writes.now();
    }

    public JobTasks tasks() {
        return tasks;
    }

    /** What is prepared goes back to idle, without a claim: whoever prepared it finds out when it wants to fire. */
    public void unprepare() {
        locked.unprepare();
    }

    /** Its live tasks by fire time, to decide on. */
    public List<Task> live() {
        return locked.live(job);
    }

    /**
     * Fire times of its schedule that are in history already, though they are later than that. After a correction of
     * its history, only {@link #ahead} knows them.
     */
    public Set<Instant> settled(Instant than) {
        return locked.settled(job, than);
    }

    /** Whether {@link #ahead} knows anything that is later than that. */
    public boolean isAhead(Instant than) {
        return locked.isAhead(job, than);
    }

    /** How many occurrences were started since it has {@code maxRuns}. */
    public int runs() {
        return locked.runs(job);
    }

    /** What its history says of fire times that lie ahead of that instant. */
    public HistoryAhead ahead(Instant of) {
        return new HistoryAhead(handle, job.id(), job.key(), of);
    }

    /** Writes what becomes of the job's occurrences; new ones belong to the version that {@link #save} makes. */
    public void apply(ReschedulingPlan plan) {
        writes.apply(job, plan);
    }

    /** Puts a new version in force and answers it; a job that stays paused is paused as it was. */
    public StoredJob save(StoredDefinition stored) {
        return save(stored, stored.definition().paused() ? job.pause() : Pause.OPEN);
    }

    /** Puts a new version in force and answers it; tasks that are not executing belong to it. */
    public StoredJob save(StoredDefinition stored, Pause pause) {
        StoredJob saved = new StoredJob(job.id(), job.version() + 1, stored, pause, job.createdAt(), now());
        writes.save(job, saved);
        return saved;
    }

    /** Holds back what a pause holds, and policies at most. */
    public void park() {
        writes.park(job);
    }

    /** Lets go what was held: occurrences at their fire time, retries and recoveries now. */
    public void unpark() {
        writes.unpark(job);
    }

    /** Deletes the job; its versions stay. */
    public void delete() {
        writes.delete(job);
    }

    /** Notes what somebody did to the job, or one of its tasks, other than changing its definition. */
    public void note(String kind, JsonNode became) {
        writes.audit()
                .write(
                        handle,
                        new Subject(kind, job.key().namespace(), job.key().name()),
                        became);
    }

    /** What runs again of it. */
    public RerunTasks reruns() {
        return new RerunTasks(handle, job, now());
    }

    /**
     * A task that was made under a key.
     *
     * @param body hash of what was asked for
     */
    public record Remembered(String body, long task) {}

    /** The task that was made under this key, a hash; it may be history by now. */
    public Optional<Remembered> remembered(String key) {
        return query(handle, REMEMBERED, "job", job.id(), "key", key)
                .map((row, context) ->
                        new Remembered(row.getString("idem_key").substring(key.length() + 1), row.getLong("task_id")))
                .findOne();
    }

    public void remember(String key, String body, long task) {
        update(handle, REMEMBER, "job", job.id(), "key", key + "=" + body, "task", task, "now", SqlTime.text(now()));
    }
}
