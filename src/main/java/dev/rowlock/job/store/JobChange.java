package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.audit.Subject;
import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.freeze.store.KnownFreezes;
import dev.rowlock.task.Task;
import dev.rowlock.task.backfill.BackfillTasks;
import dev.rowlock.task.backfill.BackfillTasks.JobTerms;
import dev.rowlock.task.history.HistoryAhead;
import dev.rowlock.task.rerun.RerunTasks;
import dev.rowlock.task.rule.ReschedulingPlan;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.transition.JobTasks;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Job within one transaction that holds its stripe row: nobody else changes it, or any task of it. */
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
    private final long rules;

    /**
     * @param locked it, and those that change with it
     * @param writes what becomes of them all
     * @param rules the number of the rules as of the job's stripe
     */
    JobChange(Handle handle, StoredJob job, LockedJobs locked, JobWrites writes, long rules) {
        this.rules = rules;
        this.handle = handle;
        this.job = job;
        this.locked = locked;
        this.writes = writes;
        this.tasks = new JobTasks(handle, job.id(), job.definition(), writes.now());
    }

    /** Returns the job as it is at this moment. */
    public StoredJob job() {
        return job;
    }

    /** Returns the database's time, read in this transaction. */
    public Instant now() {
        return writes.now();
    }

    /** Returns the live tasks of the job, which nobody else changes until this transaction ends. */
    public JobTasks tasks() {
        return tasks;
    }

    /** Returns the freezes that cover the job now; empty: none does. */
    public Optional<CoveringFreezes> freeze() {
        return rules == 0
                ? Optional.empty()
                : new KnownFreezes().asOf(handle, rules).of(job.definition(), now());
    }

    /** Returns prepared tasks to idle, without a claim: whoever prepared one finds out when it wants to fire. */
    public void unprepare() {
        locked.unprepare();
    }

    /** Returns the live tasks by fire time, to decide on. */
    public List<Task> live() {
        return locked.live(job);
    }

    /**
     * Returns fire times of its schedule that are in history already, though they are later than that. After a
     * correction of its history, only {@link #ahead} knows them.
     */
    public Set<Instant> settled(Instant than) {
        return locked.settled(job, than);
    }

    /** Returns whether {@link #ahead} knows anything that is later than that. */
    public boolean isAhead(Instant than) {
        return locked.isAhead(job, than);
    }

    /** Returns the number of occurrences started since the job has {@code maxRuns}. */
    public int runs() {
        return locked.runs(job);
    }

    /** Returns history of fire times that are ahead of that instant. */
    public HistoryAhead ahead(Instant of) {
        return new HistoryAhead(handle, job.id(), job.key(), of);
    }

    /** Applies a plan to the job's occurrences; new ones belong to the version that {@link #save} makes. */
    public void apply(ReschedulingPlan plan) {
        writes.apply(job, plan);
    }

    /** Saves a new version and returns it; a job that stays paused is paused as it was. */
    public StoredJob save(StoredDefinition stored) {
        return save(stored, stored.definition().paused() ? job.pause() : Pause.OPEN);
    }

    /** Saves a new version and returns it; tasks that are not executing belong to it. */
    public StoredJob save(StoredDefinition stored, Pause pause) {
        StoredJob saved = new StoredJob(job.id(), job.version() + 1, stored, pause, job.createdAt(), now());
        writes.save(job, saved);
        return saved;
    }

    /** Holds the tasks that the pause concerns, unless something other than a policy holds them. */
    public void park() {
        writes.park(job);
    }

    /** Releases held tasks: occurrences at their fire time, retries and recoveries now. */
    public void unpark() {
        writes.unpark(job);
    }

    /** Deletes the job; its versions stay. */
    public void delete() {
        writes.delete(job);
    }

    /** Records what somebody did to the job, or one of its tasks, other than changing its definition. */
    public void note(String kind, JsonNode became) {
        writes.audit()
                .write(
                        handle,
                        new Subject(kind, job.key().namespace(), job.key().name()),
                        became);
    }

    /** Returns a source of the calendars that definitions of the job name. */
    public CalendarSource calendars() {
        return CalendarRows.of(handle);
    }

    /** Returns these calendars in the versions that are in force; those that do not exist are missing. */
    public Map<String, PinnedCalendar> calendarsInForce(Collection<String> names) {
        return CalendarStore.current(handle, names);
    }

    /** Returns the backfills of the job. */
    public BackfillTasks backfills() {
        JobTerms terms = new JobTerms(
                job.id(),
                job.version(),
                Selector.parse(job.definition().nodes()),
                job.definition().group());
        return new BackfillTasks(handle, terms, now());
    }

    /** Returns the reruns of the job. */
    public RerunTasks reruns() {
        return new RerunTasks(handle, job, now());
    }

    /**
     * Task that was made under a key.
     *
     * @param body hash of what was asked for
     */
    public record RememberedRun(String body, long task) {}

    /** Returns the task that was made under this key, a hash; it may be history by now. */
    public Optional<RememberedRun> remembered(String key) {
        return query(handle, REMEMBERED, "job", job.id(), "key", key)
                .map((row, context) -> new RememberedRun(
                        row.getString("idem_key").substring(key.length() + 1), row.getLong("task_id")))
                .findOne();
    }

    /**
     * Notes the task that was made under a key, in the transaction that makes it.
     *
     * @param body hash of what was asked for: another request must not use the key
     */
    public void remember(String key, String body, long task) {
        update(handle, REMEMBER, "job", job.id(), "key", key + "=" + body, "task", task, "now", SqlTime.text(now()));
    }
}
