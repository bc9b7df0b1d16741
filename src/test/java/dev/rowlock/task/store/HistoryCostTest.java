package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.Outcome;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.Cause;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.TaskPage;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.Total;
import dev.rowlock.task.query.TaskQueries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many rows the server reads for a page of a long history, of which next to nothing, or nothing, is wanted. */
@Tag("database")
@Tag("slow")
class HistoryCostTest {

    private static final int ROWS = 50_000;
    private static final int PAGE = 50;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        rows.run(
                "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause, outcome, node,"
                        + " session_id, launch_id, due_at, prepared_at, started_at, ended_at, last_fire_time, duration_ms)"
                        + " select n, 1, if(n <= 3, 'rare', 'default'), 'j', 1, at, '', 1, if(n <= 60, 'MANUAL', 'SCHEDULE'),"
                        + " 'SUCCEEDED', if(n <= 3, 'old', 'a'), 's', concat('s-', n), at, at, at, at, at, 20"
                        + " from (select n, timestamp('2026-01-01 00:00:00') + interval n second as at from "
                        + Numbers.upTo(ROWS) + ") r");
        // Every tenth row stands for a minute, one for all of the time, and all of them are old.
        rows.run(
                "update task_history set last_fire_time = fire_time + interval if(id = 10, 40000, 59) second, occurrences = 60,"
                        + " outcome = 'MISSED', node = null, started_at = null where id % 10 = 0");
        rows.run("insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at)"
                + " select if(id = 10, 16, 6), fire_time, id, last_fire_time, namespace, job, outcome, ended_at"
                + " from task_history where id % 10 = 0");
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

    /** The oldest 60 rows are of the causes that are looked for; nothing has such a label, or took so long. */
    @ParameterizedTest
    @CsvSource({
        "cause, , , 6, 60",
        "cause, default, , 6, 57",
        "cause, default, a, 6, 51",
        "cause, none, , 1, 0",
        "duration, , , 6, 0",
        "label, , , 6, 0",
        "label, default, , 5, 0",
    })
    void what_is_rare_and_has_no_index_is_looked_for_in_steps(
            String what, @Nullable String namespace, @Nullable String node, int steps, int expected) {
        TaskQueries queries = new TaskQueries(database);
        List<Long> found = new ArrayList<>();
        @Nullable TaskPosition after = null;
        int searches = 0;
        do {
            TaskFilter filter = rare(what, namespace, node, after);
            TaskPage page = queries.search(filter);
            page.tasks().forEach(task -> found.add(task.id()));
            assertThat(ReadCounter.rowsReadBy(database, () -> queries.search(filter)))
                    .isLessThan(35_000);
            searches++;
            after = page.tasks().size() == filter.limit()
                    ? page.tasks().get(filter.limit() - 1).position()
                    : page.reached();
        } while (after != null);

        assertThat(found).hasSize(expected).doesNotHaveDuplicates().isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(searches).isEqualTo(steps);
        assertThat(queries.page(rare(what, namespace, node, null)))
                .extracting(TaskView::id)
                .containsExactlyElementsOf(found.subList(0, Math.min(found.size(), PAGE)));
    }

    /** A page of the table has to be read for each of them. */
    @ParameterizedTest
    @CsvSource({", MISSED, 3", "j, , 25", "j, MISSED, 25"})
    void what_lies_far_apart_is_looked_for_in_smaller_steps(
            @Nullable String job, @Nullable Outcome outcome, int steps) {
        TaskQueries queries = new TaskQueries(database);
        @Nullable TaskPosition after = null;
        int searches = 0;
        do {
            TaskFilter filter = new TaskFilter(
                    job == null ? null : "default",
                    job,
                    "ENDED",
                    outcome,
                    null,
                    null,
                    null,
                    after,
                    PAGE,
                    false,
                    false,
                    null,
                    Duration.ofDays(1),
                    List.of());
            assertThat(queries.search(filter).tasks()).isEmpty();
            assertThat(ReadCounter.rowsReadBy(database, () -> queries.search(filter)))
                    .isLessThan(7_000);
            after = queries.search(filter).reached();
            searches++;
        } while (after != null);

        assertThat(searches).isEqualTo(steps);
    }

    private static TaskFilter rare(
            String what, @Nullable String namespace, @Nullable String node, @Nullable TaskPosition after) {
        return new TaskFilter(
                namespace,
                null,
                null,
                null,
                node,
                null,
                null,
                after,
                PAGE,
                false,
                false,
                what.equals("cause") ? Cause.MANUAL : null,
                what.equals("duration") ? Duration.ofDays(1) : null,
                what.equals("label") ? List.of(new JobFilter.Label("nobody", null)) : List.of());
    }

    /** Each row of these stands for a minute. */
    @Test
    void what_is_rare_among_rows_that_reach_in_is_looked_for_in_steps() {
        TaskQueries queries = new TaskQueries(database);
        new Rows(SERVER)
                .run(
                        "insert into task_span (scale, fire_time, task_id, last_fire_time, namespace, job, outcome, ended_at)"
                                + " select 6, timestamp('2026-01-03') - interval n * 10 * 1000 microsecond, -n,"
                                + " timestamp('2026-01-03') + interval 30 second, 'default', 'j', 'MISSED', '2026-01-03' from "
                                + Numbers.upTo(3_000));
        Instant since = Instant.parse("2026-01-03T00:00:00Z");
        @Nullable TaskPosition after = null;
        int searches = 0;
        do {
            TaskFilter filter = new TaskFilter(
                    null,
                    null,
                    null,
                    null,
                    null,
                    since,
                    null,
                    after,
                    PAGE,
                    false,
                    false,
                    Cause.MANUAL,
                    null,
                    List.of());
            assertThat(ReadCounter.rowsReadBy(database, () -> queries.search(filter)))
                    .isLessThan(6_000);
            after = queries.search(filter).reached();
            searches++;
        } while (after != null);
        new Rows(SERVER).run("delete from task_span where task_id < 0");

        assertThat(searches).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        ", , 10000, true",
        "SUCCEEDED, , 10000, true",
        "MISSED, , 5000, false",
        "LOST, , 0, false",
        ", 2026-01-01T13:00:00Z, 3201, true",
    })
    void totals_are_counted_in_the_index_alone(
            @Nullable Outcome outcome, @Nullable Instant since, long count, boolean more) {
        TaskQueries queries = new TaskQueries(database);
        TaskFilter filter = new TaskFilter(null, null, "ENDED", outcome, null, since, null, null, PAGE);

        assertThat(queries.total(filter)).contains(new Total(count, more));
        assertThat(ReadCounter.rowsReadBy(database, () -> queries.total(filter)))
                .isLessThan(21_000);
    }

    private static long page(
            @Nullable String namespace, @Nullable Outcome outcome, @Nullable String node, int expected) {
        TaskQueries queries = new TaskQueries(database);
        TaskFilter filter = new TaskFilter(namespace, null, "ENDED", outcome, node, null, null, null, PAGE);
        assertThat(queries.page(filter)).hasSize(expected);
        return ReadCounter.rowsReadBy(database, () -> queries.page(filter));
    }
}
