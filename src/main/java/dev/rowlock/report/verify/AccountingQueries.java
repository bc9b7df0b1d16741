package dev.rowlock.report.verify;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.calendar.CalendarRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.store.SmallDefinition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Queries of history and live tasks by fire time. Takes no lock and writes nothing. */
public final class AccountingQueries {

    private static final String JOBS = """
            select job_id from job_version
             where job_id > :after and (:namespace is null or namespace = :namespace and name = :name)
             group by job_id
            having sum(valid_until is null) > 0 or max(valid_until) >= :since
             order by job_id limit :limit
            """;
    private static final String VERSIONS = """
            select job_id, version, namespace, name, %s as definition, paused, valid_from, valid_until, runs
              from job_version where job_id in (<jobs>) order by job_id, version
            """.formatted(SmallDefinition.of("definition"));
    private static final String LIVE = """
            select id, job_id, job_version, fire_time, fire_time as last_fire_time, 1 as occurrences, next_fire_time,
                   state as what, true as live, false as is_cursor,
                   true as explained
              from task where job_id in (<jobs>) and origin = '' and attempt = 1
             union all
            select task_id, job_id, job_version, fire_time, fire_time, 1, null, 'IDLE', true, true, true
              from job_next where job_id in (<jobs>)
             order by job_id, fire_time, id
            """;
    private static final String COLUMNS = """
            h.id, h.job_id, h.job_version, h.fire_time, h.last_fire_time, h.occurrences, h.next_fire_time, h.outcome
            as what,
                   false as live, false as is_cursor, h.reason is not null as explained
            """;
    private static final String HISTORY = """
            select %s
              from json_table(:jobs, '$[*]' columns (
                     id bigint path '$[0]', namespace varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[1]',
                     name varchar(128) character set utf8mb4 collate utf8mb4_bin path '$[2]')) v
              straight_join task_history h on h.namespace = v.namespace and h.job = v.name
             where h.job_id = v.id and h.fire_time >= :since and h.fire_time <= :until and h.origin = ''
               and h.attempt = 1
             limit :limit
            """.formatted(COLUMNS);
    private static final String PAGE = """
            select %s
              from task_history h
             where h.namespace = :namespace and h.job = :name and h.fire_time >= :since and h.fire_time <= :until
               and (h.fire_time > :since or h.id > :afterId) and h.job_id = :job and h.origin = '' and h.attempt = 1
             order by h.fire_time, h.id limit :limit
            """.formatted(COLUMNS);
    private static final String COVERING = """
            select %s
              from task_history h
             where h.namespace = :namespace and h.job = :name and h.fire_time < :before and h.last_fire_time >= :at
               and h.job_id = :job and h.origin = '' and h.attempt = 1
             order by h.fire_time desc limit 1
            """.formatted(COLUMNS);

    private static final String NOTE = """
            insert into setting (name, value) values (:name, :value) on duplicate key update value = :value
            """;

    /** Setting with the result of the last check of all jobs. */
    public static final String VERIFIED = "last-verification";

    private final Database database;

    public AccountingQueries(Database database) {
        this.database = database;
    }

    /**
     * Returns the ids of jobs greater than {@code after}, in order, including those deleted since {@code since}.
     *
     * @param key null: all
     */
    public List<Long> jobs(@Nullable JobKey key, Instant since, long after, int limit) {
        return database.autoCommit(
                "listing jobs and their versions",
                handle -> handle.createQuery(JOBS)
                        .bind("after", after)
                        .bind("namespace", key == null ? null : key.namespace())
                        .bind("name", key == null ? null : key.name())
                        .bind("since", SqlTime.text(since))
                        .bind("limit", limit)
                        .mapTo(Long.class)
                        .list());
    }

    /** Runs {@code work}, which should be short, on one snapshot of the database. */
    public <T> T snapshot(Function<Snapshot, T> work) {
        return database.snapshot("comparing history with schedules", handle -> work.apply(new Snapshot(handle)));
    }

    /** Records the result of a check of all jobs, for the overview. */
    public void note(Verification found) {
        database.transact(
                "noting what the verification found",
                handle -> update(handle, NOTE, "name", VERIFIED, "value", found.text()));
    }

    /** Snapshot of the database. */
    public static final class Snapshot {

        private final Handle handle;
        private final Instant now;
        private final Instant purged;

        private Snapshot(Handle handle) {
            this.handle = handle;
            this.now = SqlTime.now(handle);
            this.purged = Retention.purged(handle);
        }

        /** Returns the database's time. */
        public Instant now() {
            return now;
        }

        /** Returns the time before which ended rows are purged. */
        public Instant purged() {
            return purged;
        }

        /** Returns the versions by job and version. */
        public List<JobVersion> versions(Collection<Long> jobs) {
            return handle.createQuery(VERSIONS)
                    .bindList("jobs", List.copyOf(jobs))
                    .map((row, context) -> new JobVersion(
                            row.getLong("job_id"),
                            row.getInt("version"),
                            new JobKey(row.getString("namespace"), row.getString("name")),
                            row.getString("definition"),
                            row.getBoolean("paused"),
                            SqlTime.read(row, "valid_from"),
                            SqlTime.readOrNull(row, "valid_until"),
                            runs(row),
                            CalendarRows.of(context)))
                    .list();
        }

        /** Returns the live tasks by job and fire time. */
        public List<AccountingEntry> live(Collection<Long> jobs) {
            return handle.createQuery(LIVE)
                    .bindList("jobs", List.copyOf(jobs))
                    .map((row, context) -> entry(row))
                    .list();
        }

        /**
         * Returns history in no particular order.
         *
         * @param jobs one version of each
         * @param limit there may be more if as many are answered
         */
        public List<AccountingEntry> history(Collection<JobVersion> jobs, Instant since, Instant until, int limit) {
            return handle.createQuery(HISTORY)
                    .bind(
                            "jobs",
                            JsonRows.of(
                                    jobs,
                                    v -> row(
                                            v.jobId(),
                                            v.key().namespace(),
                                            v.key().name())))
                    .bind("since", SqlTime.text(since))
                    .bind("until", SqlTime.text(until))
                    .bind("limit", limit)
                    .map((row, context) -> entry(row))
                    .list();
        }

        /**
         * Returns history of one job by fire time and id, from {@code since} on, of that fire time only ids above
         * {@code afterId}.
         */
        public List<AccountingEntry> page(JobVersion job, Instant since, long afterId, Instant until, int limit) {
            return handle.createQuery(PAGE)
                    .bind("namespace", job.key().namespace())
                    .bind("name", job.key().name())
                    .bind("job", job.jobId())
                    .bind("since", SqlTime.text(since))
                    .bind("afterId", afterId)
                    .bind("until", SqlTime.text(until))
                    .bind("limit", limit)
                    .map((row, context) -> entry(row))
                    .list();
        }

        /** Returns the row that begins before some time and reaches to {@code at}. */
        public Optional<AccountingEntry> covering(JobVersion job, Instant before, Instant at) {
            return handle.createQuery(COVERING)
                    .bind("namespace", job.key().namespace())
                    .bind("name", job.key().name())
                    .bind("job", job.jobId())
                    .bind("before", SqlTime.text(before))
                    .bind("at", SqlTime.text(at))
                    .map((row, context) -> entry(row))
                    .findOne();
        }
    }

    private static @Nullable Integer runs(ResultSet row) throws SQLException {
        int runs = row.getInt("runs");
        return row.wasNull() ? null : runs;
    }

    private static AccountingEntry entry(ResultSet row) throws SQLException {
        return new AccountingEntry(
                row.getLong("id"),
                row.getLong("job_id"),
                row.getInt("job_version"),
                SqlTime.read(row, "fire_time"),
                SqlTime.read(row, "last_fire_time"),
                row.getLong("occurrences"),
                SqlTime.readOrNull(row, "next_fire_time"),
                row.getString("what"),
                row.getBoolean("live"),
                row.getBoolean("is_cursor"),
                row.getBoolean("explained"));
    }
}
