package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.SqlTime;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.NotRunReason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is due behind an occurrence that starts late. */
@Tag("database")
class PassedOverTest {

    private static final Instant START = Instant.parse("2026-03-02T10:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void prepare() {
        cluster = new PlayedCluster(SERVER, dir, START);
    }

    @AfterEach
    void close() throws IOException {
        try {
            cluster.addsUp();
            assertThat(cluster.brokenLinks(Duration.ofDays(10))).isZero();
            assertThat(cluster.unexplained()).isEmpty();
        } finally {
            cluster.close();
        }
    }

    @Test
    void it_is_skipped_in_one_row_that_names_the_task_in_the_way() {
        put("j", "'schedule': '*/2 * * * * *'");
        outage(Duration.ofSeconds(20));

        cluster.work(Duration.ofSeconds(4), SECOND);

        assertThat(history("j"))
                .containsExactly(
                        "SUCCEEDED SCHEDULE 10:00:02 10:00:02 1",
                        "SKIPPED SCHEDULE 10:00:04 10:00:20 9",
                        "SUCCEEDED SCHEDULE 10:00:22 10:00:22 1",
                        "SUCCEEDED SCHEDULE 10:00:24 10:00:24 1");
        assertThat(cluster.rows.one("select concat(s.reason, if(s.superseded_by = r.id, '', ' and is not named'))"
                        + " from task_history s join task_history r on r.fire_time = '2026-03-02 10:00:02'"
                        + " where s.outcome = 'SKIPPED'"))
                .matches("task \\d+, an earlier occurrence that was late, had yet to start when these were due"
                        + " \\(overlap SKIP\\)");
    }

    @Test
    void while_the_job_executes_it_names_the_task_that_does() {
        put("j", "'schedule': '*/2 * * * * *'");
        HandDrivenNode a = cluster.nodes().get(0);
        cluster.time.advance(Duration.ofSeconds(2));
        a.keeper.runOnce();
        a.schedule();
        assertThat(cluster.rows.count("live_task where state = 'EXECUTING'")).isEqualTo(1);
        for (int i = 0; i < 50; i++) {
            cluster.time.advance(SECOND);
            a.keeper.runOnce();
        }
        cluster.time.hold();

        a.schedule();

        assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED' and occurrences > 1"))
                .isEqualTo(1);
        assertThat(cluster.rows.all(
                        "select distinct concat(h.reason, if(h.superseded_by = e.id and locate(e.id, h.reason),"
                                + " '', '?')) as reason from task_history h join live_task e on e.state = 'EXECUTING'"
                                + " where h.outcome = 'SKIPPED'"))
                .singleElement()
                .asString()
                .matches(".*task \\d+ was still executing \\(overlap SKIP\\)}");
        cluster.work(Duration.ofSeconds(4), SECOND);
    }

    /** What the cursor stands at makes up for others before it. */
    private void catchesUp(int seconds) {
        cluster.rows.run(
                "insert into task (id, job_id, job_version, stripe, fire_time, next_fire_time, attempt, cause, due_at,"
                        + " state) select task_id, job_id, job_version, stripe, fire_time, fire_time + interval "
                        + seconds
                        + " second, 1, 'CATCH_UP', due_at, 'IDLE' from job_next");
        cluster.rows.run("update job_next set task_id = task_id + 1000000, fire_time = fire_time + interval " + seconds
                + " second, due_at = fire_time");
    }

    /** It makes up for what was missed, which says nothing of what has come since. */
    @Test
    void what_is_a_misfire_is_missed_also_behind_a_catch_up_and_the_latest_runs() {
        put("j", "'schedule': '*/2 * * * * *'");
        catchesUp(2);
        outage(Duration.ofMinutes(30));

        cluster.work(Duration.ofSeconds(4), SECOND);

        assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED' and occurrences > 1"))
                .isZero();
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED' and occurrences > 800"))
                .isEqualTo(1);
        assertThat(history("j"))
                .contains("SUCCEEDED CATCH_UP 10:00:02 10:00:02 1", "SUCCEEDED SCHEDULE 10:30:04 10:30:04 1");
    }

    @Test
    void misfires_behind_a_catch_up_that_is_prepared_with_them_are_decided_by_themselves() {
        put("j", "'schedule': '*/10 * * * * *'");
        catchesUp(10);
        outage(Duration.ofSeconds(95));

        cluster.work(Duration.ofSeconds(2), SECOND);

        assertThat(history("j"))
                .containsExactly(
                        "SUCCEEDED CATCH_UP 10:00:10 10:00:10 1",
                        "MISSED SCHEDULE 10:00:20 10:01:20 7",
                        "SKIPPED CATCH_UP 10:01:30 10:01:30 1"); // the other was to start at that moment
    }

    @Test
    void it_is_counted_with_all_the_others() {
        put("j", "'schedule': '*/2 * * * * *'");
        cluster.rows.run("update live_task set due_at = '2026-03-02 11:00:00'");
        put("other", "'schedule': '* * * * * *'");
        cluster.work(Duration.ofSeconds(20), SECOND);
        cluster.rows.run("update cluster_lock set counted_through = '2026-03-02 10:00:15'");
        cluster.rows.run("update live_task set due_at = fire_time where fire_time = '2026-03-02 10:00:02'");

        cluster.work(Duration.ofSeconds(2), SECOND);

        assertThat(cluster.rows.count("task_history where outcome = 'SKIPPED'")).isEqualTo(1);
        assertThat(cluster.rows.count("task_uncounted")).isZero();
    }

    @Test
    void behind_what_is_less_late_each_is_decided_by_itself() {
        put("j", "'schedule': '* * * * * *'");
        outage(Duration.ofSeconds(2));

        cluster.work(SECOND, SECOND);

        assertThat(history("j"))
                .containsExactly(
                        "SUCCEEDED SCHEDULE 10:00:01 10:00:01 1",
                        "SKIPPED SCHEDULE 10:00:02 10:00:02 1",
                        "SKIPPED SCHEDULE 10:00:03 10:00:03 1");
        assertThat(cluster.rows.all("select distinct reason from task_history where outcome = 'SKIPPED'"))
                .singleElement()
                .asString()
                .contains("was still executing (overlap SKIP)");
    }

    /** Each of these may keep the one that is late from starting, or lets those behind it wait. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'overlap': 'QUEUE'",
                "'overlap': 'ALLOW'",
                "'overlap': 'REPLACE'",
                "'startDeadline': '30s'",
                "'maxRuns': 100",
                "'group': 'g'"
            })
    void nothing_is_passed_over_where_something_else_may_come_between(String policy) {
        cluster.rows.run("insert into job_group (name, slots, created_at, updated_at)"
                + " values ('g', 1, '2026-03-02', '2026-03-02')");
        put("j", "'schedule': '*/2 * * * * *', " + policy);
        outage(Duration.ofSeconds(20));

        cluster.work(Duration.ofSeconds(8), SECOND);

        assertThat(cluster.rows.count("task_history where occurrences > 1")).isZero();
        assertThat(cluster.rows.count("task_history where reason like '%had yet to start%'"))
                .isZero();
    }

    @Test
    void what_is_not_due_by_the_databases_clock_is_not_skipped() {
        put("j", "'schedule': '*/2 * * * * *'");
        HandDrivenNode a = cluster.nodes().get(0);
        Duration passed = Duration.ofSeconds(11);
        cluster.time.advance(passed);
        a.nanos.advance(passed);
        cluster.time.step(Duration.ofSeconds(-4)); // of which the node has not heard yet
        assertThat(a.context().clock().now()).isAfter(START.plusSeconds(10));

        a.schedule();

        assertThat(cluster.rows.count("task_history")).isZero();
        a.keeper.runOnce();
        cluster.work(SECOND, SECOND);
        assertThat(history("j")).first().isEqualTo("SUCCEEDED SCHEDULE 10:00:02 10:00:02 1");
    }

    @Test
    void the_metrics_count_what_was_passed_over() {
        put("j", "'schedule': '*/2 * * * * *'");
        outage(Duration.ofSeconds(20));

        cluster.work(Duration.ofSeconds(2), SECOND);

        assertThat(cluster.nodes().get(0).context().counts().notRunByReason()).containsEntry(NotRunReason.OVERLAP, 9L);
    }

    private void put(String name, String fields) {
        cluster.put(name, fields.replace('\'', '"'));
    }

    private void outage(Duration time) {
        String name = cluster.name();
        cluster.crash(name);
        cluster.sleep(time);
        cluster.join(name + "a");
    }

    private List<String> history(String job) {
        return cluster
                .rows
                .all("select outcome, cause, date_format(fire_time, '%T') as first, date_format(last_fire_time, '%T')"
                        + " as last, occurrences from task_history where job = '" + job + "' and fire_time > '"
                        + SqlTime.text(START) + "' order by fire_time")
                .stream()
                .map(row -> String.join(" ", row.values()))
                .toList();
    }
}
