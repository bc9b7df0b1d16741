package dev.rowlock.store.job;

import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.job.StoredJob;
import dev.rowlock.store.history.HistoryAhead;
import dev.rowlock.store.task.JobTasks;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** A job within one transaction that holds its shard row: nobody else changes it, or any task of it, until the transaction ends. */
public final class JobChange {

    private static final String UPDATE = """
            update job set version = :version, definition = :definition, paused = :paused, updated_at = :now where id = :job
            """;
    private static final String CLOSE =
            "update job_version set valid_until = :now where job_id = :job and valid_until is null";
    static final String OPEN = """
            insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)
            values (:job, :version, :namespace, :name, :definition, :paused, :now)
            """;
    private static final String DELETE = "delete from job where id = :job";
    private static final String REMEMBERED =
            "select task_id from idempotency_key where job_id = :job and idem_key = :key";
    private static final String REMEMBER = """
            insert into idempotency_key (job_id, idem_key, task_id, created_at) values (:job, :key, :task, :now)
            """;

    private final Handle handle;
    private final StoredJob job;
    private final Instant now;
    private final JobTasks tasks;

    JobChange(Handle handle, StoredJob job, Instant now) {
        this.handle = handle;
        this.job = job;
        this.now = now;
        this.tasks = new JobTasks(handle, job.id(), job.key(), now);
    }

    /** The job as it is at this moment. */
    public StoredJob job() {
        return job;
    }

    /** The database's time, read in this transaction. */
    public Instant now() {
        return now;
    }

    public JobTasks tasks() {
        return tasks;
    }

    /** What its history says of fire times that lie ahead. */
    public HistoryAhead ahead() {
        return new HistoryAhead(handle, job.id(), job.key(), now);
    }

    /** Puts a new version in force and answers it; tasks that are not executing belong to it. */
    public StoredJob save(StoredDefinition stored) {
        int version = job.version() + 1;
        JobDefinition definition = stored.definition();
        String json = stored.text();
        handle.createUpdate(UPDATE)
                .bind("version", version)
                .bind("definition", json)
                .bind("paused", definition.paused())
                .bind("now", SqlTime.text(now))
                .bind("job", job.id())
                .execute();
        close();
        handle.createUpdate(OPEN)
                .bind("job", job.id())
                .bind("version", version)
                .bind("namespace", definition.key().namespace())
                .bind("name", definition.key().name())
                .bind("definition", json)
                .bind("paused", definition.paused())
                .bind("now", SqlTime.text(now))
                .execute();
        tasks.adopt(version);
        return new StoredJob(job.id(), version, stored, job.createdAt(), now);
    }

    /** Deletes the job; its versions stay. */
    public void delete() {
        close();
        handle.createUpdate(DELETE).bind("job", job.id()).execute();
    }

    /** The task that was made under this idempotency key; it may be history by now. */
    public Optional<Long> remembered(String key) {
        return handle.createQuery(REMEMBERED)
                .bind("job", job.id())
                .bind("key", key)
                .mapTo(Long.class)
                .findOne();
    }

    public void remember(String key, long task) {
        handle.createUpdate(REMEMBER)
                .bind("job", job.id())
                .bind("key", key)
                .bind("task", task)
                .bind("now", SqlTime.text(now))
                .execute();
    }

    private void close() {
        handle.createUpdate(CLOSE)
                .bind("now", SqlTime.text(now))
                .bind("job", job.id())
                .execute();
    }
}
