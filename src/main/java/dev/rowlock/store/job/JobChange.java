package dev.rowlock.store.job;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.Cause;
import dev.rowlock.job.FieldChange;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Pause;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.ReschedulingPlan;
import dev.rowlock.policy.ReschedulingPlan.Cursor;
import dev.rowlock.policy.ReschedulingPlan.Link;
import dev.rowlock.policy.ReschedulingPlan.Unmade;
import dev.rowlock.policy.Selector;
import dev.rowlock.policy.Span;
import dev.rowlock.store.audit.Audit;
import dev.rowlock.store.audit.Subject;
import dev.rowlock.store.history.HistoryAhead;
import dev.rowlock.store.task.JobTasks;
import dev.rowlock.store.task.RerunTasks;
import java.time.Instant;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/** A job within one transaction that holds its shard row: nobody else changes it, or any task of it. */
public final class JobChange {

    private static final String UPDATE = """
            update job set version = :version, definition = :definition, paused = :paused, paused_until = :until,
                   pause_reason = :reason, updated_at = :now where id = :job
            """;
    private static final String CLOSE =
            "update job_version set valid_until = :now where job_id = :job and valid_until is null";
    private static final String OPEN = """
            insert into job_version (job_id, version, namespace, name, definition, paused, paused_until, pause_reason,
                   valid_from, runs, changed_by)
            values (:job, :version, :namespace, :name, :definition, :paused, :until, :reason, :now,
                    (select r.runs from job_run r where r.job_id = :job), :author)
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
    private final Audit audit;

    JobChange(Handle handle, StoredJob job, Instant now, Audit audit) {
        this.audit = audit;
        this.handle = handle;
        this.job = job;
        this.now = now;
        this.tasks =
                new JobTasks(handle, job.id(), Selector.parse(job.definition().nodes()), now);
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

    /** How many occurrences were started since it has {@code maxRuns}. */
    public int runs() {
        return runs(handle, job.id());
    }

    static int runs(Handle handle, long job) {
        return query(handle, "select runs from job_run where job_id = :job", "job", job)
                .mapTo(Integer.class)
                .findOne()
                .orElse(0);
    }

    /** What its history says of fire times that lie ahead of that instant. */
    public HistoryAhead ahead(Instant of) {
        return new HistoryAhead(handle, job.id(), job.key(), of);
    }

    /** Writes what becomes of the job's occurrences; new ones belong to the version that {@link #save} makes. */
    public void apply(ReschedulingPlan plan) {
        int version = job.version() + 1;
        Cursor cursor = plan.cursor();
        if (cursor.unflag() != null) {
            tasks.unflag(cursor.unflag());
        }
        plan.links().forEach(this::link);
        plan.deletes().forEach(tasks::delete);
        plan.ends().forEach(e -> end(e.task().id(), e.outcome(), e.reason(), e.span()));
        for (Unmade unmade : plan.unmade()) {
            int asker = unmade.asBefore() ? job.version() : version;
            long id = tasks.insert(asker, unmade.span().first(), "", Cause.SCHEDULE, false);
            tasks.link(id, unmade.next());
            end(id, unmade.outcome(), unmade.reason(), unmade.span());
        }
        tasks.insert(version, plan.inserts());
        if (cursor.to() != null && cursor.move() != null) {
            tasks.move(cursor.move(), cursor.to());
        } else if (cursor.to() != null) {
            tasks.insert(version, cursor.to(), "", Cause.SCHEDULE, true);
        }
    }

    private void link(Link link) {
        if (link.history()) {
            ahead(now).link(link.id(), link.next());
        } else {
            tasks.link(link.id(), link.next());
        }
    }

    private void end(long task, Outcome outcome, String reason, Span span) {
        tasks.end(task, outcome, reason, span.count(), span.last());
    }

    /** Puts a new version in force and answers it; a job that stays paused is paused as it was. */
    public StoredJob save(StoredDefinition stored) {
        return save(stored, stored.definition().paused() ? job.pause() : Pause.OPEN);
    }

    /** Puts a new version in force and answers it; tasks that are not executing belong to it. */
    public StoredJob save(StoredDefinition stored, Pause pause) {
        StoredJob saved = new StoredJob(job.id(), job.version() + 1, stored, pause, job.createdAt(), now);
        bound(handle.createUpdate(UPDATE), saved).execute();
        close();
        open(handle, saved, audit);
        GroupStore.mustBeThere(handle, stored.definition().group());
        NamedSecrets.mustBeThere(handle, job.definition(), stored.definition());
        PingFlag.raise(handle, stored.definition());
        tasks.stamp(stored.definition());
        if (!stored.foreign().containsKey("nodes")) { // else nobody here knows which they are
            tasks.placeOn(Selector.parse(stored.definition().nodes()));
        }
        tasks.adopt(saved.version());
        audit.write(handle, Subject.job(job.key()), () -> FieldChange.between(job, saved));
        return saved;
    }

    /** Deletes the job; its versions stay. */
    public void delete() {
        close();
        update(handle, DELETE, "job", job.id());
        update(handle, "delete from job_run where job_id = :job", "job", job.id());
        audit.write(handle, Subject.job(job.key()), job.stored().json(), null);
    }

    /** Notes what somebody did to the job, or one of its tasks, other than changing its definition. */
    public void note(String kind, JsonNode became) {
        audit.write(handle, new Subject(kind, job.key().namespace(), job.key().name()), became);
    }

    /** What runs again of it. */
    public RerunTasks reruns() {
        return new RerunTasks(handle, job.id(), job.version(), now);
    }

    /** The task that was made under this idempotency key; it may be history by now. */
    public Optional<Long> remembered(String key) {
        return query(handle, REMEMBERED, "job", job.id(), "key", key)
                .mapTo(Long.class)
                .findOne();
    }

    public void remember(String key, long task) {
        update(handle, REMEMBER, "job", job.id(), "key", key, "task", task, "now", SqlTime.text(now));
    }

    static void open(Handle handle, StoredJob job, Audit audit) {
        bound(handle.createUpdate(OPEN), job)
                .bind("namespace", job.key().namespace())
                .bind("name", job.key().name())
                .bind("author", audit.who())
                .execute();
    }

    private static Update bound(Update statement, StoredJob job) {
        return statement
                .bind("job", job.id())
                .bind("version", job.version())
                .bind("definition", job.stored().text())
                .bind("paused", job.definition().paused())
                .bind("until", SqlTime.textOrNull(job.pause().until()))
                .bind("reason", job.pause().reason())
                .bind("now", SqlTime.text(job.updatedAt()));
    }

    private void close() {
        update(handle, CLOSE, "now", SqlTime.text(now), "job", job.id());
    }
}
