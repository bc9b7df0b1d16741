package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.store.SmallDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Queries of versions that jobs have had, including deleted jobs. */
public final class JobLives {

    /**
     * Query of the jobs of a name, which may have been given again after a job was deleted. Of a job that is changed
     * often, only entries of the index on names are read, and its first and its last version.
     */
    private static final String LIVES = """
            select l.job_id, j.created_at,
                   (select f.valid_from from job_version f where f.job_id = l.job_id order by f.version limit 1)
                     as first_from,
                   (select e.valid_until from job_version e where e.job_id = l.job_id order by e.version desc limit 1)
                     as ended_at
              from (select distinct v.job_id from job_version v force index (by_name)
                     where v.namespace = :namespace and v.name = :name) l
              left join job j on j.id = l.job_id
             order by first_from, l.job_id
            """;

    private static final String COLUMNS = """
            select job_id, version, namespace, name, %s as definition, paused, paused_until, pause_reason, valid_from,
                   valid_until, changed_by
              from job_version
            """.formatted(SmallDefinition.of("definition"));
    private static final String UNTIL =
            COLUMNS + " where job_id = :job and valid_from < :at order by version desc limit :most";
    private static final String SINCE =
            COLUMNS + " where job_id = :job and valid_from >= :at order by version limit :most";
    private static final String NUMBERED = COLUMNS + " where job_id = :job and version = :version";
    private static final String RUNS = "select runs from job_run where job_id = :job";

    private final Database database;

    public JobLives(Database database) {
        this.database = database;
    }

    /**
     * Job that has, or had, a name.
     *
     * @param createdAt if the job is deleted, when the first version came into force that is kept
     * @param deletedAt null: it is there
     */
    public record JobLife(
            long jobId, Instant createdAt, @Nullable Instant deletedAt) {}

    /**
     * Version of a job.
     *
     * @param stored without its command and the like, which are large and no reason for anything
     * @param pause {@link Pause#OPEN} unless it is paused
     * @param until null: it is in force
     * @param changedBy who made it; null: Rowlock itself, or not known
     */
    public record Version(
            int number,
            StoredDefinition stored,
            Pause pause,
            Instant from,
            @Nullable Instant until,
            @Nullable String changedBy) {

        public boolean isPaused() {
            return stored.definition().paused();
        }
    }

    /** Clock of the database: now, and the time before which ended history is purged. */
    public record Clock(Instant now, Instant purged) {}

    /** Returns the time, and how far history reaches back at it. */
    public Clock clock() {
        return database.autoCommit(
                "reading how far history reaches", handle -> new Clock(SqlTime.now(handle), Retention.purged(handle)));
    }

    /** Returns the jobs that have had this name, earliest first. */
    public List<JobLife> lives(JobKey key) {
        return database.autoCommit(
                "reading which jobs were called " + key,
                handle -> query(handle, LIVES, "namespace", key.namespace(), "name", key.name())
                        .map((row, context) -> {
                            @Nullable Instant created = SqlTime.readOrNull(row, "created_at");
                            return new JobLife(
                                    row.getLong("job_id"),
                                    created == null ? SqlTime.read(row, "first_from") : created,
                                    SqlTime.readOrNull(row, "ended_at"));
                        })
                        .list());
    }

    /** Returns versions that came into force before a time, newest first. */
    public List<Version> until(long job, Instant at, int most) {
        return versions(UNTIL, "job", job, "at", SqlTime.text(at), "most", most);
    }

    /** Returns versions that came into force at a time or after it, oldest first. */
    public List<Version> since(long job, Instant at, int most) {
        return versions(SINCE, "job", job, "at", SqlTime.text(at), "most", most);
    }

    public Optional<Version> numbered(long job, int version) {
        return versions(NUMBERED, "job", job, "version", version).stream().findFirst();
    }

    /** Returns the number of occurrences started of a job with {@code maxRuns}; 0 if it has none. */
    public int runs(long job) {
        return database.autoCommit(
                "reading how often job " + job + " ran",
                handle -> query(handle, RUNS, "job", job)
                        .mapTo(Integer.class)
                        .findOne()
                        .orElse(0));
    }

    private List<Version> versions(String sql, Object... values) {
        return database.autoCommit(
                "reading versions of a job",
                handle -> query(handle, sql, values)
                        .map((row, context) -> read(row, context))
                        .list());
    }

    private static Version read(ResultSet row, StatementContext context) throws SQLException {
        boolean paused = row.getBoolean("paused");
        return new Version(
                row.getInt("version"),
                StoredDefinition.read(
                        new JobKey(row.getString("namespace"), row.getString("name")),
                        row.getString("definition"),
                        paused,
                        CalendarRows.of(context)),
                paused ? new Pause(SqlTime.readOrNull(row, "paused_until"), row.getString("pause_reason")) : Pause.OPEN,
                SqlTime.read(row, "valid_from"),
                SqlTime.readOrNull(row, "valid_until"),
                row.getString("changed_by"));
    }
}
