package dev.rowlock.job.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries of jobs whose pause has ended, or soon will. Thread-safe. */
public final class EndingPauses {

    private static final String SOON = """
            select j.id, j.namespace, j.name, j.version, j.paused_until,
                   timestampdiff(microsecond, utc_timestamp(6), j.paused_until) as micros
              from job j force index (by_pause)
             where j.paused and j.paused_until <= utc_timestamp(6) + interval :micros microsecond
               and j.paused_until >= :from and (j.paused_until > :from or j.id > :after)
             order by j.paused_until, j.id limit :most
            """;

    private final Database database;

    public EndingPauses(Database database) {
        this.database = database;
    }

    /**
     * Job with the end of its pause.
     *
     * @param until that end
     * @param left until the end comes; zero or negative: it has come
     */
    public record ExpiringPause(long job, int version, JobKey key, Instant until, Duration left) {

        /** Returns the stripe of the job, whose row is locked to resume it. */
        public int stripe() {
            return Locks.stripeOf(job);
        }
    }

    /**
     * Returns the pauses that end within that time by the database's clock, earliest first.
     *
     * @param behind the one behind which they stand in that order; null: all of them
     */
    public List<ExpiringPause> within(Duration time, @Nullable ExpiringPause behind, int most) {
        return database.autoCommit(
                "looking for pauses that are over",
                handle -> query(
                                handle,
                                SOON,
                                "micros",
                                time.toNanos() / 1000,
                                "from",
                                SqlTime.text(behind == null ? Instant.EPOCH : behind.until()),
                                "after",
                                behind == null ? 0 : behind.job(),
                                "most",
                                most)
                        .map((row, context) -> new ExpiringPause(
                                row.getLong("id"),
                                row.getInt("version"),
                                new JobKey(row.getString("namespace"), row.getString("name")),
                                SqlTime.read(row, "paused_until"),
                                Duration.of(row.getLong("micros"), ChronoUnit.MICROS)))
                        .list());
    }
}
