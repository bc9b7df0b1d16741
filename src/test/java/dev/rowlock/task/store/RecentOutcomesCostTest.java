package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobQueries.StoredJobs;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.JobFacts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the last outcomes of a page of jobs cost, of which some have run for very long. */
@Tag("database")
@Tag("slow")
class RecentOutcomesCostTest {

    private static final int JOBS = 300;
    private static final int PAGE = 200;
    private static final int RUNS = 10_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        IdleJobs.insert(rows, JOBS);
        rows.run("update job set created_at = '2026-01-01'");
        history(rows, "j.id % 20 = 0", RUNS, "if(n % 3 = 0, 'FAILED', 'SUCCEEDED')", 0);
        history(rows, "j.id % 20 = 1", 3, "elt(n, 'MISSED', 'SKIPPED', 'LOST')", 1_000_000_000);
        rows.all("analyze table job, task_history");
    }

    private static void history(Rows rows, String jobs, int runs, String outcome, int firstId) {
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, node, started_at, ended_at, duration_ms, last_fire_time) select " + firstId
                + " + j.id * 1000000 + n, j.id, j.namespace, j.name, 1, '2026-01-01' + interval n minute, '', 1,"
                + " 'SCHEDULE', " + outcome + ", 'a', '2026-01-01', '2026-01-01', 5, '2026-01-01' + interval n minute"
                + " from job j cross join " + Numbers.upTo(runs) + " where " + jobs);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static StoredJobs page(int recent) {
        JobFilter filter = new JobFilter(null, null, null, List.of(), null, PAGE);
        return new JobQueries(database).page(recent == 0 ? filter : filter.withRecent(recent));
    }

    private static long selects(Runnable work) {
        long before = commands();
        work.run();
        return commands() - before - 1;
    }

    private static long commands() {
        return database.autoCommit(
                "counting",
                handle -> handle.createQuery("show session status like 'Com_select'")
                        .map((row, context) -> row.getLong(2))
                        .one());
    }

    @Test
    void the_last_outcomes_are_those_of_the_newest_occurrences_the_newest_last() {
        Map<Long, List<String>> found = new HashMap<>();
        page(10).jobs().forEach((job, facts) -> found.put(job.id(), facts.recent()));

        assertThat(found.get(20L))
                .containsExactly(
                        "SUCCEEDED",
                        "SUCCEEDED",
                        "FAILED",
                        "SUCCEEDED",
                        "SUCCEEDED",
                        "FAILED",
                        "SUCCEEDED",
                        "SUCCEEDED",
                        "FAILED",
                        "SUCCEEDED");
        assertThat(found.get(21L)).containsExactly("MISSED", "SKIPPED", "LOST");
        assertThat(found.get(22L)).isEmpty();
        assertThat(page(0).jobs().values()).extracting(JobFacts::recent).containsOnlyNulls();
    }

    @Test
    void they_cost_one_statement_and_so_many_rows_of_each_job_however_long_its_history_is() {
        long rows = ReadCounter.rowsReadBy(database, () -> page(10)) - ReadCounter.rowsReadBy(database, () -> page(0));

        // Ten of each with a long history, which go through a temporary table and a sort; two looks for each job.
        assertThat(rows).isBetween(10L, PAGE / 20 * 10 * 4 + PAGE * 4L);
        assertThat(selects(() -> page(10)) - selects(() -> page(0))).isEqualTo(1);
    }

    @Test
    void the_range_of_a_job_is_read_backwards_without_a_sort() {
        Map<String, String> plan = new Rows(SERVER)
                .plan("select h.job_id, h.fire_time, h.id, h.outcome from task_history h force index (by_job)"
                        + " where h.namespace = 'default' and h.job = 'job-20' and h.fire_time >= '2025-12-31'"
                        + " and h.job_id = 20 order by h.fire_time desc, h.id desc limit 10")
                .get(0);

        assertThat(plan.get("key")).isEqualTo("by_job");
        assertThat(String.valueOf(plan.get("extra")).toLowerCase(Locale.ROOT)).doesNotContain("filesort");
    }
}
