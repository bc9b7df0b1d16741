package dev.rowlock.job.version;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Purge of versions of jobs that nobody needs. The first version stays as long as any other, since {@code @every}
 * counts from it; so does every version that a live task or a row of history names, or that was in force within the
 * period of history.
 */
public final class OldVersions {

    private static final String ENDED = """
            select job_id, version, valid_until from job_version force index (by_end)
             where valid_until >= :at and valid_until < :before
               and (valid_until > :at or job_id > :job or (job_id = :job and version > :version))
             order by valid_until, job_id, version limit :most
            """;
    private static final String IS_THERE = "select exists (select 1 from job where id = :job)";
    private static final String ALL = "select count(*) from job_version where job_id = :job";
    /**
     * Query of unneeded versions. A row of history that names an ended version was live then, so it was requested
     * before. The day allows for clocks.
     */
    private static final String NEEDLESS = """
            select v.version
              from job_version v
             where v.job_id = :job and v.valid_until < :before
               and v.version <= (select max(n.version) from job_version n where n.job_id = :job) - :kept
               and not exists (select 1 from task t where t.job_id = v.job_id and t.job_version = v.version)
               and not exists (select 1 from job_next c where c.job_id = v.job_id and c.job_version = v.version)
               and not exists (select 1 from task_history h
                                where h.namespace = v.namespace and h.job = v.name
                                  and h.fire_time <= v.valid_until + interval 1 day
                                  and h.job_id = v.job_id and h.job_version = v.version)
             order by v.version
             limit :most
            """;

    private static final String DELETE = "delete from job_version where job_id = :job and version in (<versions>)";
    private static final int MOST = 200;

    private final Database database;

    public OldVersions(Database database) {
        this.database = database;
    }

    /** Version of a job that ended at this time; many may have done so in the same millisecond. */
    public record EndedVersion(Instant at, long jobId, int version) {

        /** Position before all others. */
        public static final EndedVersion FIRST = new EndedVersion(Instant.EPOCH, 0, 0);
    }

    /** Returns the versions that ended before a time, in that order, after {@code last}. */
    public List<EndedVersion> ended(EndedVersion last, Instant before, int most) {
        return database.autoCommit(
                "looking for old versions of jobs",
                handle -> handle.createQuery(ENDED)
                        .bind("at", SqlTime.text(last.at()))
                        .bind("job", last.jobId())
                        .bind("version", last.version())
                        .bind("before", SqlTime.text(before))
                        .bind("most", most)
                        .map((row, context) -> new EndedVersion(
                                SqlTime.read(row, "valid_until"), row.getLong("job_id"), row.getInt("version")))
                        .list());
    }

    /**
     * Deletes versions of one job that ended before {@code before}.
     *
     * @param kept so many of the newest stay in any case, unless the job was deleted
     * @return true: there may be more
     */
    public boolean delete(long job, Instant before, int kept) {
        return database.transact("deleting old versions of job " + job, handle -> {
            boolean there =
                    query(handle, IS_THERE, "job", job).mapTo(Boolean.class).one();
            List<Integer> needless = needless(handle, job, before, there ? kept : 0);
            long all = query(handle, ALL, "job", job).mapTo(Long.class).one();
            List<Integer> versions = needless.size() == all ? needless : withoutTheFirst(handle, job, needless);
            if (!versions.isEmpty()) {
                handle.createUpdate(DELETE)
                        .bind("job", job)
                        .bindList("versions", versions)
                        .execute();
            }
            return needless.size() == MOST;
        });
    }

    private static List<Integer> needless(Handle handle, long job, Instant before, int kept) {
        return query(handle, NEEDLESS, "job", job, "before", SqlTime.text(before), "kept", kept, "most", MOST)
                .mapTo(Integer.class)
                .list();
    }

    private static List<Integer> withoutTheFirst(Handle handle, long job, List<Integer> versions) {
        int first = query(handle, "select min(version) from job_version where job_id = :job", "job", job)
                .mapTo(Integer.class)
                .one();
        return versions.stream().filter(version -> version != first).toList();
    }
}
