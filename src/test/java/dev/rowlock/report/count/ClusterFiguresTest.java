package dev.rowlock.report.count;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Hold;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("database")
class ClusterFiguresTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @Test
    void what_is_told_of_the_cluster_is_read() throws Exception {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        long with = job(rows, "with", ", \"metrics\": true");
        long without = job(rows, "without", ", \"metrics\": false");
        long silent = job(rows, "silent", "");
        rows.task(silent, 0, true);
        rows.run("update live_task set hold = 'PAUSE', hold_reason = 'the job is paused', due_at = null");
        rows.run(
                "insert into setting (name, value) values ('last-verification', '2026-11-22T03:00:00.000Z - - 9 1 7')");

        try (Database database = Database.single(address, Duration.ofSeconds(30))) {
            OverviewQueries queries = new OverviewQueries(database);
            ClusterFigures figures = queries.figures(List.of(with, without, silent, 4711L));

            assertThat(figures.withMetrics()).containsExactly(with);
            assertThat(figures.verification().wrong()).isEqualTo(1);
            assertThat(figures.waiting()).containsOnlyKeys(Hold.PAUSE).containsEntry(Hold.PAUSE, 1L);
            assertThat(queries.figures(List.of()).withMetrics()).isEmpty();
            assertThat(figures.calendarsEnding()).isZero();
        }
    }

    @Test
    void calendars_that_end_soon_are_counted_if_jobs_name_them() throws Exception {
        DatabaseAddress address = new DatabaseAddress(server.url(), server.user(), server.password());
        Rows rows = new Rows(server);
        calendar(rows, "soon", "date(utc_timestamp()) + interval 60 day");
        calendar(rows, "past", "date(utc_timestamp()) - interval 60 day");
        calendar(rows, "later", "date(utc_timestamp()) + interval 62 day");
        calendar(rows, "without", "null");
        calendar(rows, "unused", "date(utc_timestamp())");
        job(rows, "one", ", \"calendar\": [\"soon\", \"later\"]");
        job(rows, "two", ", \"calendar\": [\"soon\", \"without\"]");
        job(rows, "three", ", \"calendar\": \"past\"");

        try (Database database = Database.single(address, Duration.ofSeconds(30))) {
            assertThat(new OverviewQueries(database).figures(List.of()).calendarsEnding())
                    .isEqualTo(2);
        }
    }

    private static void calendar(Rows rows, String name, String knownUntil) {
        rows.run("insert into calendar (name, version, mark, known_until, created_at, updated_at) values ('" + name
                + "', 1, '1-x', " + knownUntil + ", utc_timestamp(3), utc_timestamp(3))");
    }

    private static long job(Rows rows, String name, String fields) {
        return rows.job(
                name,
                "{\"namespace\": \"default\", \"name\": \"" + name
                        + "\", \"schedule\": \"@manual\", \"command\": \"true\"" + fields + "}");
    }
}
