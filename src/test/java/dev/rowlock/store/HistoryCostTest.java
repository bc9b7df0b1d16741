package dev.rowlock.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Migrations;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.db.Servers;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.TaskFilter;
import dev.rowlock.store.history.Spans;
import dev.rowlock.store.task.TaskQueries;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many rows the server reads for a page of a long history, of which next to nothing, or nothing, is wanted. */
class HistoryCostTest {

    private static final int ROWS = 50_000;
    private static final int PAGE = 50;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        Migrations.run(new Servers(address));
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome, node,"
                        + " session_id, launch_id, due_at, prepared_at, started_at, ended_at, last_fire_time)"
                        + " select n, 1, if(n <= 3, 'rare', 'default'), 'j', 1, at, '', 1, 'SCHEDULE', 'SUCCEEDED', if(n <= 3, 'old', 'a'),"
                        + " 's', concat('s-', n), at, at, at, at, at"
                        + " from (select n, timestamp('2026-01-01 00:00:00') + interval n second as at from "
                        + Numbers.upTo(ROWS) + ") r");
        // Every tenth row stands for a minute, one for all of the time, and all of them are old.
        rows.run(
                "update task_history set last_fire_time = fire_time + interval if(id = 10, 40000, 59) second, occurrences = 60,"
                        + " outcome = 'MISSED', node = null, started_at = null where id % 10 = 0");
        new Spans(database).noteOlder("1");
        rows.all("analyze table task_history, task_span");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void a_node_that_ran_little_long_ago() {
        assertThat(page(null, null, "old", 3)).isLessThan(2L * PAGE);
    }

    @Test
    void a_node_that_never_was() {
        assertThat(page(null, null, "nobody", 0)).isLessThan(2L * PAGE);
    }

    @Test
    void a_namespace_in_which_little_ran_long_ago() {
        assertThat(page("rare", null, null, 3)).isLessThan(2L * PAGE);
    }

    @Test
    void a_namespace_that_never_was_and_what_succeeded_in_it() {
        assertThat(page("none", Outcome.SUCCEEDED, null, 0)).isLessThan(2L * PAGE);
    }

    @Test
    void an_outcome_that_there_is_not_where_all_the_rest_is() {
        assertThat(page("default", Outcome.LOST, "a", 0)).isLessThan(2L * PAGE);
    }

    @Test
    void what_reaches_into_a_range_of_time() {
        TaskQueries queries = new TaskQueries(database);
        Instant since = Instant.parse("2026-01-01T10:00:05Z");
        TaskFilter all = new TaskFilter(null, null, null, null, null, since, since.plusSeconds(1), null, PAGE);
        TaskFilter job = new TaskFilter("default", "j", null, null, null, since, since.plusSeconds(1), null, PAGE);

        assertThat(queries.page(all)).hasSize(8);
        assertThat(queries.page(all).get(7).id()).isEqualTo(10);
        assertThat(queries.page(job)).isEqualTo(queries.page(all));
        assertThat(ReadCounter.rowsReadBy(database, () -> queries.page(all))).isLessThan(4L * PAGE);
    }

    @Test
    void a_range_of_time_after_all_that_there_is() {
        TaskQueries queries = new TaskQueries(database);
        TaskFilter filter =
                new TaskFilter(null, null, null, null, null, Instant.parse("2026-01-02T00:00:00Z"), null, null, PAGE);

        assertThat(queries.page(filter)).isEmpty();
        assertThat(ReadCounter.rowsReadBy(database, () -> queries.page(filter))).isLessThan(3L * PAGE);
    }

    private static long page(
            @Nullable String namespace, @Nullable Outcome outcome, @Nullable String node, int expected) {
        TaskQueries queries = new TaskQueries(database);
        TaskFilter filter = new TaskFilter(namespace, null, "ENDED", outcome, node, null, null, null, PAGE);
        assertThat(queries.page(filter)).hasSize(expected);
        return ReadCounter.rowsReadBy(database, () -> queries.page(filter));
    }
}
