package dev.rowlock.report.count;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Purge of aggregates of old days and minutes and of deleted jobs, in small batches. */
public final class OldAggregates {

    /** Retention of minutes, which serve the last hours alone. */
    static final Duration MINUTES_KEPT = Duration.ofDays(3);

    private static final String MINUTES =
            "delete from history_minute where minute < :before order by minute limit :most";
    private static final String DAYS = "delete from job_day where day < :before order by day limit :most";
    private static final String JOBS = "select job_id from job_stats where job_id > :after order by job_id limit :most";
    private static final String GONE = """
            delete s from job_stats s left join job j on j.id = s.job_id where j.id is null and s.job_id in (%s)
            """;

    private final Database database;

    public OldAggregates(Database database) {
        this.database = database;
    }

    /** Deletes some older minutes. Returns the number of rows. */
    public int purgeMinutes(Instant now, int most) {
        return database.transact(
                "deleting minutes of history",
                handle -> update(handle, MINUTES, "before", SqlTime.text(now.minus(MINUTES_KEPT)), "most", most));
    }

    /** Deletes some days of jobs that were over before that time. */
    public int purgeDays(Instant before, int most) {
        return database.transact(
                "deleting days of jobs",
                handle -> update(handle, DAYS, "before", SqlTime.text(before).substring(0, 10), "most", most));
    }

    /**
     * Deletes, among so many rows, what belongs to deleted jobs.
     *
     * @param after the job after which to begin
     * @return the last job looked at; -1: that was all
     */
    public long purgeJobs(long after, int most) {
        return database.transact("deleting aggregates of deleted jobs", handle -> {
            List<Long> jobs = query(handle, JOBS, "after", after, "most", most)
                    .mapTo(Long.class)
                    .list();
            InList.change(handle, jobs, part -> GONE.formatted(InList.ids(part)));
            return jobs.size() < most ? -1 : jobs.get(jobs.size() - 1);
        });
    }
}
