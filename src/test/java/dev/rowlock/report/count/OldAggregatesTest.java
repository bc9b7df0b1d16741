package dev.rowlock.report.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What goes with time, in parts, and what stays. */
@Tag("database")
class OldAggregatesTest {

    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

    private static final int JOBS = 1_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;
    private static Rows rows;
    private final OldAggregates old = new OldAggregates(database);

    @BeforeAll
    static void open() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        rows = new Rows(SERVER);
        IdleJobs.insert(rows, JOBS);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void fill() {
        rows.run("delete from history_minute");
        rows.run("delete from job_day");
        rows.run("delete from job_stats");
        rows.run("insert into history_minute (minute) select '2026-07-01 12:00:00' - interval n minute from "
                + Numbers.upTo(5_000));
        rows.run("insert into job_day (job_id, day, durations, latenesses) select 1 + n % " + JOBS
                + ", '2026-07-01' - interval n div " + JOBS + " day, '', '' from " + Numbers.upTo(10_000));
        rows.run("insert into job_stats (job_id) select n from " + Numbers.upTo(2 * JOBS));
        rows.all("analyze table history_minute, job_day, job_stats");
    }

    @Test
    void minutes_are_kept_for_three_days() {
        assertThat(old.purgeMinutes(NOW, 500)).isEqualTo(500);
        assertThat(rows.one("select min(minute) from history_minute"))
                .startsWith("2026-06-28 09:00:00"); // oldest first
        assertThat(old.purgeMinutes(NOW, 500)).isEqualTo(180);
        assertThat(old.purgeMinutes(NOW, 500)).isZero();
        assertThat(rows.one("select min(minute) from history_minute")).startsWith("2026-06-28 12:00:00");
        assertThat(rows.count("history_minute")).isEqualTo(3 * 24 * 60);
    }

    @Test
    void days_of_jobs_are_kept_as_long_as_history_and_their_last_day_as_a_whole() {
        Instant before = NOW.minus(Duration.ofDays(7)); // within 24 June

        assertThat(old.purgeDays(before, 1_500)).isEqualTo(1_500);
        assertThat(old.purgeDays(before, 1_500)).isEqualTo(501);
        assertThat(rows.one("select min(day) from job_day")).isEqualTo("2026-06-24");
        assertThat(old.purgeDays(before, 1_500)).isZero();
    }

    @Test
    void what_belongs_to_deleted_jobs_is_looked_for_in_parts_and_goes() {
        long after = 0;
        int steps = 0;
        do {
            after = old.purgeJobs(after, 300);
            steps++;
        } while (after >= 0);

        assertThat(steps).isEqualTo(7);
        assertThat(rows.one("select max(job_id) from job_stats")).isEqualTo(String.valueOf(JOBS));
        assertThat(rows.count("job_stats")).isEqualTo(JOBS);
    }

    @Test
    void where_there_is_nothing_to_delete_next_to_nothing_is_read() {
        Instant longAgo = NOW.minus(Duration.ofDays(300));

        assertThat(ReadCounter.rowsReadBy(database, () -> {
                    assertThat(old.purgeMinutes(longAgo, 1_000)).isZero();
                    assertThat(old.purgeDays(longAgo, 1_000)).isZero();
                }))
                .isLessThan(10);
    }
}
