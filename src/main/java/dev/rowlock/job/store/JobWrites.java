package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Audit.AuditChange;
import dev.rowlock.audit.Subject;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.job.store.WrittenPlans.RescheduledJob;
import dev.rowlock.secret.store.NamedSecrets;
import dev.rowlock.task.rule.ReschedulingPlan;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.JobAtVersion;
import dev.rowlock.task.transition.TasksOfJobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Writer of changes to jobs and their tasks under their stripe rows: to a job that changes alone at once, to several
 * together by {@link #write}, with a few statements for all. For each job, the order is that of this class.
 */
final class JobWrites {

    private static final String UPDATE = """
            update job set version = :version, definition = :definition, paused = :paused, paused_until = :until,
                   pause_reason = :reason, updated_at = :now where id = :job
            """;
    private static final String OF_JOBS = "json_table(:jobs, '$[*]' columns (job bigint path '$')) v";
    private static final String CLOSE = """
            update %s
              straight_join job_version o force index (primary) on o.job_id = v.job
               set o.valid_until = :now
             where o.valid_until is null
            """.formatted(OF_JOBS);
    private static final String OPEN = """
            insert into job_version (job_id, version, namespace, name, definition, paused, paused_until, pause_reason,
                   valid_from, runs, changed_by)
            select j.id, j.version, j.namespace, j.name, j.definition, j.paused, j.paused_until, j.pause_reason,
                   :now, r.runs, :author
              from %s
              straight_join job j force index (primary) on j.id = v.job
              left join job_run r on r.job_id = j.id
            """.formatted(OF_JOBS);

    private final Handle handle;
    private final Instant now;
    private final Audit audit;
    private final boolean together;
    private final Set<String> groups = new HashSet<>();
    private final Set<PinnedCalendar> calendars = new HashSet<>();
    private boolean pings;
    private final List<RescheduledJob> planned = new ArrayList<>();
    private final List<WrittenJob> saved = new ArrayList<>();
    private final List<StoredJob> deleted = new ArrayList<>();
    private final List<Long> parked = new ArrayList<>();
    private final List<Long> unparked = new ArrayList<>();

    private record WrittenJob(StoredJob before, StoredJob job) {

        JobDefinition definition() {
            return job.definition();
        }
    }

    /** @param together whether {@link #write} will be called; else each thing is written as it comes */
    JobWrites(Handle handle, Instant now, Audit audit, boolean together) {
        this.handle = handle;
        this.now = now;
        this.audit = audit;
        this.together = together;
    }

    Instant now() {
        return now;
    }

    Audit audit() {
        return audit;
    }

    /** Applies a plan to the occurrences of a job; new ones belong to the version that {@link #save} makes. */
    void apply(StoredJob job, ReschedulingPlan plan) {
        planned.add(new RescheduledJob(job, plan));
        writeUnlessTogether();
    }

    /**
     * Saves another version of a job; tasks that are not executing belong to it.
     *
     * @throws InvalidDefinition its group, or a secret that it did not name before, is not there
     */
    void save(StoredJob before, StoredJob job) {
        String group = job.definition().group();
        if (group != null && groups.add(group)) {
            GroupStore.mustBeThere(handle, group);
        }
        CalendarStore.mustBeCurrent(handle, before.definition(), job.definition(), calendars);
        NamedSecrets.mustBeThere(handle, before.definition(), job.definition());
        if (job.definition().ping() != null && !pings) {
            PingFlag.raise(handle, job.definition());
            pings = true;
        }
        saved.add(new WrittenJob(before, job));
        writeUnlessTogether();
    }

    /** Deletes a job; its versions stay. */
    void delete(StoredJob job) {
        deleted.add(job);
        writeUnlessTogether();
    }

    /** Holds the tasks that a pause holds. */
    void park(StoredJob job) {
        parked.add(job.id());
        writeUnlessTogether();
    }

    /** Releases the tasks that a pause held. */
    void unpark(StoredJob job) {
        unparked.add(job.id());
        writeUnlessTogether();
    }

    private void writeUnlessTogether() {
        if (!together) {
            write();
        }
    }

    /** Writes the collected changes. */
    void write() {
        new WrittenPlans(handle, now).write(planned);
        if (!saved.isEmpty()) {
            writeSaved();
        }
        if (!deleted.isEmpty()) {
            writeDeleted();
        }
        TasksOfJobs.park(handle, parked);
        TasksOfJobs.unpark(handle, unparked);
        planned.clear();
        saved.clear();
        deleted.clear();
        parked.clear();
        unparked.clear();
    }

    private void writeSaved() {
        PreparedBatch batch = handle.prepareBatch(UPDATE);
        saved.forEach(each -> batch.bind("job", each.job().id())
                .bind("version", each.job().version())
                .bind("definition", each.job().stored().text())
                .bind("paused", each.definition().paused())
                .bind("until", SqlTime.textOrNull(each.job().pause().until()))
                .bind("reason", each.job().pause().reason())
                .bind("now", SqlTime.text(now))
                .add());
        batch.execute();
        List<Long> ids = saved.stream().map(each -> each.job().id()).toList();
        close(ids);
        open(handle, ids, now, audit);
        Map<Long, JobDefinition> definitions = new LinkedHashMap<>();
        saved.forEach(each -> definitions.put(each.job().id(), each.definition()));
        TasksOfJobs.stamp(handle, definitions, now);
        TasksOfJobs.placeOn(handle, selectors());
        TasksOfJobs.adopt(
                handle,
                saved.stream()
                        .map(each ->
                                new JobAtVersion(each.job().id(), each.job().version()))
                        .toList());
        audit.write(
                handle,
                saved,
                each -> AuditChange.of(Subject.job(each.job().key()), FieldChange.between(each.before(), each.job())));
    }

    /** Returns where tasks may run; leaves out selectors of a newer version, which are unknown here. */
    private Map<Long, Selector> selectors() {
        Map<Long, Selector> selectors = new LinkedHashMap<>();
        for (WrittenJob each : saved) {
            if (!each.job().stored().foreign().containsKey("nodes")) {
                selectors.put(each.job().id(), Selector.parse(each.definition().nodes()));
            }
        }
        return selectors;
    }

    private void writeDeleted() {
        List<Long> ids = deleted.stream().map(StoredJob::id).toList();
        close(ids);
        InList.change(handle, ids, part -> "delete from job where id in (" + InList.ids(part) + ")");
        InList.change(handle, ids, part -> "delete from job_run where job_id in (" + InList.ids(part) + ")");
        audit.write(
                handle,
                deleted,
                job -> Optional.of(
                        new AuditChange(Subject.job(job.key()), job.stored().json(), null)));
    }

    private void close(List<Long> ids) {
        update(handle, CLOSE, "jobs", JsonRows.ids(ids), "now", SqlTime.text(now));
    }

    /** Records the versions of these jobs from now on. */
    static void open(Handle handle, List<Long> ids, Instant now, Audit audit) {
        update(handle, OPEN, "jobs", JsonRows.ids(ids), "now", SqlTime.text(now), "author", audit.who());
    }
}
