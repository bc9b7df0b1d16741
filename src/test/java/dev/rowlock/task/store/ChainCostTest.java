package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.db.Servers;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import dev.rowlock.report.verify.AccountingEntry;
import dev.rowlock.report.verify.AccountingQueries;
import dev.rowlock.report.verify.JobVersion;
import dev.rowlock.support.BrokenLinks;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What proofs about the chain read, with a history of 64,000 minutes of one job. */
@Tag("database")
@Tag("slow")
class ChainCostTest {

    private static final JobKey KEY = new JobKey("default", "j");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.pooled(new Servers(address), 1, Duration.ofSeconds(60));
        Rows rows = new Rows(SERVER);
        String forty =
                "(select a.n * 8 + b.n as n from (select 0 n union select 1 union select 2 union select 3 union select 4) a,"
                        + " (select 0 n union select 1 union select 2 union select 3 union select 4 union select 5 union select 6"
                        + " union select 7) b)";
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt,"
                        + " cause, outcome, ended_at, last_fire_time)"
                        + " select i, 1, 'default', 'j', 1, t, t + interval 1 minute, '', 1, 'SCHEDULE', 'SUCCEEDED', t, t"
                        + " from (select i, utc_timestamp(3) - interval i minute as t"
                        + "         from (select x.n * 1600 + y.n * 40 + z.n + 1 as i from " + forty + " x, " + forty
                        + " y, " + forty
                        + " z) numbers) times order by i");
        rows.all("analyze table task_history");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void broken_links_are_counted_by_reading_the_window_and_what_it_names() {
        assertThat(BrokenLinks.count(database, Duration.ofHours(1)))
                .as("the newest row names one that is not there")
                .isEqualTo(1);
        assertThat(ReadCounter.rowsReadBy(database, () -> BrokenLinks.count(database, Duration.ofHours(1))))
                .isLessThan(60 * 8);
    }

    /** Of jobs that have a cursor, entries of two indexes are read, and none of their definitions. */
    @Test
    void jobs_without_a_cursor_are_counted_by_a_look_at_each_job() {
        Rows rows = new Rows(SERVER);
        rows.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select 1000 + n, 'many', concat('job-', n), 1, '{\"schedule\": \"0 3 * * *\"}', false,"
                + " utc_timestamp(3), utc_timestamp(3) from " + Numbers.upTo(5_000));
        rows.run("insert into job_next (task_id, job_id, job_version, stripe, fire_time, due_at)"
                + " select id, id, 1, 0, '2126-01-01', '2126-01-01' from job"
                + " where namespace = 'many' and name <> 'job-7'");
        rows.all("analyze table job, job_next");
        Duration window = Duration.ofHours(1);

        assertThat(rows.all("select job from v_broken_link where outcome = 'NO_CURSOR'"))
                .hasSize(1);
        assertThat(BrokenLinks.count(database, window)).isEqualTo(2);
        assertThat(ReadCounter.rowsReadBy(database, () -> BrokenLinks.count(database, window)))
                .isLessThan(60 * 8 + 2 * 5_000 + 100);
        rows.run("delete from live_task");
        rows.run("delete from job where namespace = 'many'");
    }

    @Test
    void a_page_of_one_job_reads_little_more_than_its_rows() {
        AccountingQueries queries = new AccountingQueries(database);
        JobVersion job = new JobVersion(1, 1, KEY, "", false, Instant.EPOCH, null, null, CalendarSource.NONE);
        Instant start = queries.snapshot(AccountingQueries.Snapshot::now).minus(Duration.ofDays(20));
        Instant end = start.plus(Duration.ofDays(10));

        assertThat(queries.<List<AccountingEntry>>snapshot(seen -> seen.page(job, start, 0, end, 500)))
                .hasSize(500);
        assertThat(ReadCounter.rowsReadBy(database, () -> queries.snapshot(seen -> seen.page(job, start, 0, end, 500))))
                .isLessThan(500 * 3);
        assertThat(ReadCounter.rowsReadBy(
                        database,
                        () -> queries.snapshot(seen -> seen.history(List.of(job), end, end.plusSeconds(6000), 500))))
                .isLessThan(100 * 4);
    }
}
