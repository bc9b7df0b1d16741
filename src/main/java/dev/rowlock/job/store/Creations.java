package dev.rowlock.job.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Audit.AuditChange;
import dev.rowlock.audit.Subject;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlErrors;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.calendar.JobCalendars.PinnedCalendar;
import dev.rowlock.task.store.JobAtVersion;
import dev.rowlock.task.store.NewTasks;
import dev.rowlock.task.store.NewTasks.NewTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/** Creation of jobs together: with a few statements for hundreds of them, within one transaction. */
final class Creations {

    private static final String INSERT = """
            insert into job (namespace, name, version, definition, paused, created_at, updated_at)
            values (:namespace, :name, 1, :definition, :paused, :now, :now)
            """;
    /** Query of the last versions of deleted jobs of the same name; run once the name is ours. */
    private static final String BEFORE = """
            select v.namespace, v.name, max(p.version) as version
              from %s
              straight_join job_version p on p.namespace = v.namespace and p.name = v.name
             group by v.namespace, v.name
            """.formatted(ManyJobs.KEYS);

    private static final String GO_ON =
            "update job set version = :version where namespace = :namespace and name = :name";

    private static final String MADE = "select j.id, j.version, j.namespace, j.name from " + ManyJobs.KEYS
            + " straight_join job j on j.namespace = v.namespace and j.name = v.name";
    private static final String OPEN = """
            insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, changed_by)
            select j.id, j.version, j.namespace, j.name, j.definition, j.paused, :now, :author
              from %s
              straight_join job j on j.namespace = v.namespace and j.name = v.name
            """.formatted(ManyJobs.KEYS);

    private static final int DUPLICATE_KEY = 1062;
    /** Characters of definitions in a statement, give or take one of them. */
    private static final int WEIGHT = 1_000_000;

    private static final int TOGETHER = 200;

    private final Handle handle;
    private final Instant now;
    private final Audit audit;
    private final List<New> jobs = new ArrayList<>();
    private final Set<String> groups = new HashSet<>();
    private final Set<PinnedCalendar> calendars = new HashSet<>();
    private int weight;
    private boolean free = true;

    Creations(Handle handle, Instant now, Audit audit) {
        this.handle = handle;
        this.now = now;
        this.audit = audit;
    }

    private record New(
            StoredDefinition stored, String text, @Nullable Instant first) {

        JobDefinition definition() {
            return stored.definition();
        }
    }

    /**
     * Adds a job. Writes it at once with those before it, if they are enough: a connection that is silent for long is
     * cut.
     */
    void add(StoredDefinition stored, Function<Instant, Optional<Instant>> first) {
        String group = stored.definition().group();
        if (group != null && groups.add(group)) {
            GroupStore.mustBeThere(handle, group);
        }
        CalendarStore.mustBeCurrent(handle, null, stored.definition(), calendars);
        String text = stored.text();
        jobs.add(new New(stored, text, first.apply(now).orElse(null)));
        weight += text.length();
        if (jobs.size() == TOGETHER || weight >= WEIGHT) {
            free = make();
        }
    }

    /** Creates the remaining jobs; returns false if one of the names is taken, and the transaction must be undone. */
    boolean make() {
        boolean made = free && (jobs.isEmpty() || make(jobs));
        jobs.clear();
        weight = 0;
        return made;
    }

    private boolean make(List<New> part) {
        if (!insert(part)) {
            return false;
        }
        String keys = JsonRows.of(part, job -> row(key(job).namespace(), key(job).name()));
        goOn(keys);
        update(handle, OPEN, "keys", keys, "now", SqlTime.text(now), "author", audit.who());
        Map<JobKey, JobAtVersion> made = new HashMap<>();
        query(handle, MADE, "keys", keys)
                .map((row, context) -> made.put(keyOf(row), new JobAtVersion(row.getLong("id"), row.getInt("version"))))
                .list();
        List<NewTask> tasks = new ArrayList<>();
        for (New job : part) {
            if (job.first() != null) {
                JobAtVersion as = Objects.requireNonNull(made.get(key(job)));
                tasks.add(NewTask.cursor(as.jobId(), as.version(), job.definition(), job.first()));
            }
        }
        NewTasks.insert(handle, tasks);
        audit.write(
                handle,
                part,
                job -> Optional.of(new AuditChange(
                        Subject.job(key(job)), null, job.stored().json())));
        return true;
    }

    private void goOn(String keys) {
        PreparedBatch batch = handle.prepareBatch(GO_ON);
        query(handle, BEFORE, "keys", keys)
                .map((row, context) -> batch.bind("namespace", row.getString("namespace"))
                        .bind("name", row.getString("name"))
                        .bind("version", row.getInt("version") + 1)
                        .add())
                .list();
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    private static JobKey keyOf(ResultSet row) throws SQLException {
        return new JobKey(row.getString("namespace"), row.getString("name"));
    }

    private boolean insert(List<New> part) {
        PreparedBatch batch = handle.prepareBatch(INSERT);
        part.forEach(job -> batch.bind("namespace", key(job).namespace())
                .bind("name", key(job).name())
                .bind("definition", job.text())
                .bind("paused", job.definition().paused())
                .bind("now", SqlTime.text(now))
                .add());
        try {
            batch.execute();
            return true;
        } catch (UnableToExecuteStatementException e) {
            SQLException sql = SqlErrors.find(e);
            if (sql != null && sql.getErrorCode() == DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    private static JobKey key(New job) {
        return job.definition().key();
    }
}
