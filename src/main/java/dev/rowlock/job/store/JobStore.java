package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Subject;
import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.cluster.ClockInDoubt;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlErrors;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.field.InvalidDefinition;
import dev.rowlock.secret.store.NamedSecrets;
import dev.rowlock.task.store.NewTasks;
import dev.rowlock.task.store.NewTasks.NewTask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;

/** Jobs and their versions. Thread-safe. */
public final class JobStore {

    static final String COLUMNS =
            "j.id, j.namespace, j.name, j.version, j.definition, j.paused, j.paused_until, j.pause_reason,"
                    + " j.created_at, j.updated_at";

    private static final String BY_NAME =
            "select " + COLUMNS + " from job j where j.namespace = :namespace and j.name = :name";
    private static final String LOCK = "select " + COLUMNS + " from job j where j.id = :id for update";
    private static final String INSERT = """
            insert into job (namespace, name, version, definition, paused, created_at, updated_at)
            values (:namespace, :name, 1, :definition, :paused, :now, :now)
            """;
    /** Query of the last version, including deleted jobs of the same name. */
    private static final String LAST_VERSION =
            "select coalesce(max(version), 0) from job_version where namespace = :namespace and name = :name";

    private static final String GO_ON_FROM = "update job set version = :version where id = :id";
    private static final int DUPLICATE_KEY = 1062;
    /**
     * Number of times that a job may be deleted and created again between two statements before something else must be
     * wrong.
     */
    private static final int TRIES = 10;

    private final Database database;
    private final @Nullable DatabaseClock clock;
    private final Audit audit;

    /** Creates a store that believes whatever the database's clock shows. */
    public JobStore(Database database) {
        this(database, null);
    }

    /** @param clock what this node believes of the database's time; null: whatever it shows */
    public JobStore(Database database, @Nullable DatabaseClock clock) {
        this(database, clock, Audit.NONE);
    }

    private JobStore(Database database, @Nullable DatabaseClock clock, Audit audit) {
        this.database = database;
        this.clock = clock;
        this.audit = audit;
    }

    /** Returns a store that audits every change, in its transaction. */
    public JobStore by(Audit somebody) {
        return new JobStore(database, clock, somebody);
    }

    /** Returns a store that changes several jobs in one transaction, audited like this one. */
    public ManyJobs together() {
        return new ManyJobs(database, clock).by(audit);
    }

    public Optional<StoredJob> find(JobKey key) {
        return database.autoCommit("reading job " + key, handle -> find(handle, key));
    }

    /**
     * Returns a definition by the calendars in force.
     *
     * @param before the job as it is; null: there is none
     * @throws InvalidDefinition one of them does not exist, or they leave no fire time to a job that had some
     */
    public StoredDefinition byCalendars(StoredDefinition to, @Nullable StoredJob before) {
        return new CalendarStore(database).inForce(to, before);
    }

    /**
     * Returns calendars in the versions in force; null: none are named.
     *
     * @throws InvalidDefinition one of them does not exist
     */
    public @Nullable JobCalendars inForce(@Nullable JobCalendars named) {
        return named == null ? null : new CalendarStore(database).inForce(named);
    }

    /** Returns the number of runs that count for a job's {@code maxRuns}. */
    public int runs(long job) {
        return database.autoCommit(
                "counting runs", handle -> LockedJobs.runs(handle, List.of(job)).getOrDefault(job, 0));
    }

    /** Returns the database's time. */
    public Instant now() {
        return database.autoCommit("reading the database's time", SqlTime::now);
    }

    /**
     * Creates a job, a version of it, and the row from which its occurrences will come. Versions continue those of a
     * deleted job of the same name, so that nobody mistakes one for the other.
     *
     * @param first the first fire time of a job that is created at the instant given
     * @return empty if a job of this name exists
     * @throws ClockInDoubt nobody knows at which instant it would be created
     */
    public Optional<StoredJob> create(StoredDefinition stored, Function<Instant, Optional<Instant>> first) {
        return database.transact(
                "creating job " + stored.definition().key(),
                handle -> create(handle, stored, first, believedNow(handle, clock), audit));
    }

    static Optional<StoredJob> create(
            Handle handle,
            StoredDefinition stored,
            Function<Instant, Optional<Instant>> first,
            Instant now,
            Audit audit) {
        JobDefinition definition = stored.definition();
        try {
            StoredJob job = insert(handle, stored, now, audit);
            GroupStore.mustBeThere(handle, definition.group());
            CalendarStore.mustBeCurrent(handle, null, definition, new HashSet<>());
            NamedSecrets.mustBeThere(handle, null, definition);
            PingFlag.raise(handle, definition);
            first.apply(now)
                    .ifPresent(fireTime -> NewTasks.insert(
                            handle, List.of(NewTask.cursor(job.id(), job.version(), definition, fireTime))));
            audit.write(handle, Subject.job(job.key()), stored.json());
            return Optional.of(job);
        } catch (UnableToExecuteStatementException e) {
            SQLException sql = SqlErrors.find(e);
            if (sql != null && sql.getErrorCode() == DUPLICATE_KEY) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Changes a job under its stripe row, in one transaction. {@code work} may be called again, so it must have no
     * effect but through its argument.
     *
     * @return empty if there is no such job
     * @throws ClockInDoubt nobody knows at which instant the change would take effect
     */
    public <T> Optional<T> change(JobKey key, String what, Function<JobChange, T> work) {
        for (int tried = 0; tried < TRIES; tried++) {
            Optional<StoredJob> seen = find(key);
            if (seen.isEmpty()) {
                return Optional.empty();
            }
            Optional<T> done = changeById(seen.get().id(), what + " job " + key, work);
            if (done.isPresent()) {
                return done;
            }
        }
        throw new IllegalStateException("job " + key + " was deleted and made again " + TRIES + " times in a row");
    }

    /** Changes a job like {@link #change}, but a certain one rather than whatever has its name. */
    public <T> Optional<T> changeById(long id, String what, Function<JobChange, T> work) {
        return database.transact(what, handle -> {
            Set<Integer> stripe = Set.of(Locks.stripeOf(id));
            long rules = Locks.lock(handle, stripe).rules();
            Locks.changeWhereNeeded(handle, stripe);
            return lock(handle, id).map(job -> {
                JobWrites writes = new JobWrites(handle, believedNow(handle, clock), audit, false);
                return work.apply(new JobChange(handle, job, new LockedJobs(handle, List.of(job)), writes, rules));
            });
        });
    }

    /** Locks a job under its stripe row, so that it stays as it is until the transaction ends. */
    static Optional<StoredJob> lock(Handle handle, long id) {
        return query(handle, LOCK, "id", id).map(JobStore::read).findOne();
    }

    static StoredJob read(ResultSet row, StatementContext context) throws SQLException {
        return new StoredJob(
                row.getLong("id"),
                row.getInt("version"),
                StoredDefinition.read(
                        new JobKey(row.getString("namespace"), row.getString("name")),
                        row.getString("definition"),
                        row.getBoolean("paused"),
                        CalendarRows.of(context)),
                row.getBoolean("paused")
                        ? new Pause(SqlTime.readOrNull(row, "paused_until"), row.getString("pause_reason"))
                        : Pause.OPEN,
                SqlTime.read(row, "created_at"),
                SqlTime.read(row, "updated_at"));
    }

    private static Optional<StoredJob> find(Handle handle, JobKey key) {
        return query(handle, BY_NAME, "namespace", key.namespace(), "name", key.name())
                .map(JobStore::read)
                .findOne();
    }

    /** @throws ClockInDoubt the database's time is not believed */
    static Instant believedNow(Handle handle, @Nullable DatabaseClock clock) {
        Instant now = SqlTime.now(handle);
        if (clock != null) {
            ClockInDoubt.check(clock, now);
        }
        return now;
    }

    private static StoredJob insert(Handle handle, StoredDefinition stored, Instant now, Audit audit) {
        JobDefinition definition = stored.definition();
        long id = handle.createUpdate(INSERT)
                .bind("namespace", definition.key().namespace())
                .bind("name", definition.key().name())
                .bind("definition", stored.text())
                .bind("paused", definition.paused())
                .bind("now", SqlTime.text(now))
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
        int version = versionOf(handle, id, definition.key());
        StoredJob job = new StoredJob(id, version, stored, Pause.OPEN, now, now);
        JobWrites.open(handle, List.of(id), now, audit);
        return job;
    }

    /**
     * Returns the first version of a new job. Read once the name is ours: a job that had it is gone for good, and gets
     * no further version.
     */
    private static int versionOf(Handle handle, long id, JobKey key) {
        int last = query(handle, LAST_VERSION, "namespace", key.namespace(), "name", key.name())
                .mapTo(Integer.class)
                .one();
        if (last > 0) {
            update(handle, GO_ON_FROM, "version", last + 1, "id", id);
        }
        return last + 1;
    }
}
