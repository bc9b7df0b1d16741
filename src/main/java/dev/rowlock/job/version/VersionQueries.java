package dev.rowlock.job.version;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.Pause;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredVersion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/** Queries of versions by the name of the job, including deleted ones. Thread-safe. */
public final class VersionQueries {

    private static final String COLUMNS = """
            select v.job_id, v.version, v.namespace, v.name, v.definition, v.paused, v.paused_until, v.pause_reason,
                   v.valid_from, v.valid_until, v.changed_by
              from job_version v force index (by_name)
             where v.namespace = :namespace and v.name = :name
            """;
    private static final String PAGE =
            COLUMNS + " and v.version <= :newest order by v.version desc, v.job_id desc limit :most";
    private static final String ONE = COLUMNS + " and v.version = :version order by v.job_id desc limit 1";
    /** Query of the first version of a job, which is never purged before its last. */
    private static final String CREATED =
            "select valid_from from job_version where job_id = :job order by version limit 1";

    private static final String NEWEST = """
            select version from job_version force index (by_name)
             where namespace = :namespace and name = :name order by version desc limit 1
            """;

    /** Characters of the definitions of one page, give or take one of them. */
    private static final long PAGE_WEIGHT = 1_000_000;

    private final Database database;

    public VersionQueries(Database database) {
        this.database = database;
    }

    /**
     * Versions of a job, newest first.
     *
     * @param cut whether others follow that were left out for their size
     */
    public record StoredVersions(List<StoredVersion> versions, boolean cut) {}

    /** Returns the newest versions up to this one. At most so many, and fewer if their definitions are large. */
    public StoredVersions page(JobKey key, int newest, int most) {
        return database.autoCommit("listing the versions of job " + key, handle -> {
            Query query = query(handle, PAGE, "namespace", key.namespace(), "name", key.name());
            SizedRows<SizedVersion> found = SizedRows.read(
                    query.bind("newest", newest).bind("most", most),
                    (row, context) -> new SizedVersion(
                            read(row, context), row.getString("definition").length()),
                    SizedVersion::weight,
                    PAGE_WEIGHT);
            return new StoredVersions(
                    found.rows().stream().map(SizedVersion::version).toList(), found.cut());
        });
    }

    private record SizedVersion(StoredVersion version, int weight) {}

    public Optional<StoredVersion> find(JobKey key, int version) {
        return database.autoCommit(
                "reading version " + version + " of job " + key,
                handle -> query(handle, ONE, "namespace", key.namespace(), "name", key.name(), "version", version)
                        .map((row, context) -> read(row, context))
                        .findOne());
    }

    /** Returns the newest version of all jobs that had the name; empty if none is known. */
    public Optional<Integer> newest(JobKey key) {
        return database.autoCommit(
                "looking for the versions of job " + key,
                handle -> query(handle, NEWEST, "namespace", key.namespace(), "name", key.name())
                        .mapTo(Integer.class)
                        .findOne());
    }

    /** Returns when the job of a version was created. */
    public Instant createdAt(StoredVersion version) {
        return database.autoCommit(
                "reading when job " + version.stored().definition().key() + " was created",
                handle -> query(handle, CREATED, "job", version.jobId())
                        .map((row, context) -> SqlTime.read(row, "valid_from"))
                        .findOne()
                        .orElse(version.from()));
    }

    private static StoredVersion read(ResultSet row, StatementContext context) throws SQLException {
        boolean paused = row.getBoolean("paused");
        return new StoredVersion(
                row.getLong("job_id"),
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
