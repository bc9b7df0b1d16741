package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobSort;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What it costs to find some of 100,000 jobs. */
@Tag("database")
@Tag("slow")
class FindingCostTest {

    private static final int JOBS = 100_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        IdleJobs.insert(rows, JOBS);
        rows.run(
                "insert into job_stats (job_id, last_outcome, last_ended, result, streak) select id,"
                        + " if(id % 100 = 0, 'FAILED', 'SUCCEEDED'), '2026-01-01' + interval id second, 'SUCCEEDED', 1 from job");
        rows.run("update job set definition = json_set(definition, '$.labels', json_object('team', 'ops'))"
                + " where id % 1000 = 0");
        rows.all("analyze table job, job_stats, task");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void part_of_a_name_and_a_label_are_looked_for_in_the_index_alone() {
        for (String what : List.of(
                "locate(cast(lower('7777') as binary), i.search) > 0",
                "locate(cast('\"team\"' as binary), i.label_text) > 0")) {
            List<String> plan = new ArrayList<>();
            new Rows(SERVER)
                    .plan("select j.id from job i force index (by_find) straight_join job j force index"
                            + " (primary) on j.id = i.id where " + what + " order by i.namespace, i.name limit 100")
                    .forEach(row -> plan.add(row.get("table") + " " + row.get("key") + " " + row.get("extra")));
            assertThat(plan.get(0).toLowerCase(Locale.ROOT))
                    .startsWith("i by_find")
                    .contains("using index")
                    .doesNotContain("filesort");
            assertThat(plan.get(1).toLowerCase(Locale.ROOT)).startsWith("j primary");
        }
    }

    @Test
    void what_many_have_in_common_is_read_for_one_page_only() {
        assertThat(rowsReadBy(filter("e", List.of(), JobSort.NAME))).isLessThan(2_000);
    }

    @Test
    void what_few_have_is_read_from_the_narrow_index_once_and_their_rows() {
        assertThat(rowsReadBy(filter("77777", List.of(), JobSort.NAME))).isBetween((long) JOBS, JOBS + 2_000L);
        List<JobFilter.Label> ops = List.of(new JobFilter.Label("team", "ops"));
        assertThat(new JobQueries(database)
                        .page(filter(null, ops, JobSort.NAME))
                        .jobs())
                .hasSize(50);
        assertThat(rowsReadBy(filter(null, ops, JobSort.NAME))).isLessThan(JOBS + 2_000L);
    }

    @ParameterizedTest
    @EnumSource(JobSort.class)
    void a_page_in_any_order_costs_its_own_rows(JobSort sort) {
        assertThat(rowsReadBy(filter(null, List.of(), sort))).isLessThan(2_000);
    }

    private static JobFilter filter(@Nullable String text, List<JobFilter.Label> labels, JobSort sort) {
        return new JobFilter(null, text, null, labels, sort, null, null, 50);
    }

    private static long rowsReadBy(JobFilter filter) {
        JobQueries queries = new JobQueries(database);
        return ReadCounter.rowsReadBy(database, () -> queries.page(filter));
    }
}
