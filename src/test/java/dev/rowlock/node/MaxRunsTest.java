package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.http.Precondition;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("database")
class MaxRunsTest {

    private static final Instant START = Instant.parse("2026-03-01T00:00:00.500Z");
    private static final Duration SECOND = Duration.ofSeconds(1);

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    @Test
    void a_job_runs_as_often_as_it_may_and_goes_on_when_it_may_more_often() throws Exception {
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, START)) {
            cluster.put("j", "\"schedule\": \"* * * * * *\", \"maxRuns\": 3");
            cluster.work(Duration.ofMinutes(2), SECOND);

            assertThat(outcomes(cluster)).isEqualTo("SUCCEEDED 3");
            assertThat(cluster.rows.count("live_task")).isZero();
            assertThat(cluster.rows.one("select state from v_job")).isEqualTo("ENDED");

            patch(cluster, "{\"command\": \"false\"}");
            cluster.work(Duration.ofMinutes(1), SECOND);
            assertThat(cluster.rows.count("live_task")).isZero();
            assertThat(outcomes(cluster)).isEqualTo("SUCCEEDED 3");

            patch(cluster, "{\"maxRuns\": 5}");
            cluster.work(Duration.ofMinutes(2), SECOND);

            assertThat(outcomes(cluster)).isEqualTo("SUCCEEDED 5");
            assertThat(cluster.rows.count("live_task")).isZero();
            cluster.addsUp();
            assertThat(cluster.brokenLinks(Duration.ofDays(1))).isZero();
        }
    }

    @Test
    void a_change_that_leaves_it_with_no_run_to_go_adds_up() throws Exception {
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, START)) {
            cluster.put("j", "\"schedule\": \"*/2 * * * * *\", \"maxRuns\": 50");
            cluster.work(Duration.ofSeconds(8), SECOND);

            patch(cluster, "{\"maxRuns\": 1}");
            isOver(cluster);
            patch(cluster, "{\"schedule\": \"*/3 * * * * *\"}");
            isOver(cluster);
            patch(cluster, "{\"maxRuns\": 60}");
            cluster.work(Duration.ofSeconds(8), SECOND);
            cluster.addsUp();
            assertThat(cluster.rows.count("live_task where cursor_of is not null"))
                    .isOne();

            patch(cluster, "{\"maxRuns\": 2}");
            isOver(cluster);
            cluster.rows.run("update job_version set runs = null where valid_until is null");
            assertThat(cluster.verify().get(0).addsUp())
                    .as("without a run to go")
                    .isFalse();
        }
    }

    @Test
    void a_schedule_that_changes_while_the_last_run_executes_adds_up() throws Exception {
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, START)) {
            cluster.put("j", "\"schedule\": \"*/2 * * * * *\", \"maxRuns\": 2");
            while (cluster.rows.count("job_run where runs = 2") == 0) {
                cluster.work(SECOND, SECOND);
            }

            patch(cluster, "{\"schedule\": \"*/3 * * * * *\"}");
            isOver(cluster);
        }
    }

    /** It is history when it is counted, and names the fire time that follows. */
    @Test
    void what_follows_the_last_broadcast_is_not_lost_without_a_word() throws Exception {
        try (PlayedCluster cluster = new PlayedCluster(SERVER, dir, START)) {
            cluster.put("j", "\"schedule\": \"*/30 * * * * *\", \"maxRuns\": 2, \"broadcast\": true");

            isOver(cluster);

            assertThat(cluster.rows.count("task_history where outcome = 'EXPANDED'"))
                    .isEqualTo(2);
        }
    }

    private static void isOver(PlayedCluster cluster) {
        cluster.work(Duration.ofMinutes(2), SECOND);
        assertThat(cluster.rows.count("live_task")).isZero();
        cluster.addsUp();
        assertThat(cluster.brokenLinks(Duration.ofDays(1))).isZero();
    }

    private static void patch(PlayedCluster cluster, String fields) {
        cluster.time.hold();
        cluster.jobs.patch(new JobKey("default", "j"), PlayedCluster.json(fields), Precondition.NONE);
    }

    private static String outcomes(PlayedCluster cluster) {
        return String.valueOf(cluster.rows.one("select group_concat(o.text order by o.text desc separator ', ') from"
                + " (select concat(outcome, ' ', count(*)) as text from task_history group by outcome) o"));
    }
}
