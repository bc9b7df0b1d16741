package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What an edit or a deletion takes back before its fire time: it never was an occurrence, and the sum adds up. */
@Tag("database")
class WithdrawnTest {

    private static final Duration STRETCH = Duration.ofSeconds(2);
    private static final String SHOWN = "v_history where outcome = 'CANCELLED'";
    private static final String KEPT = "task_history where outcome = 'CANCELLED' and withdrawn";

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;

    @BeforeEach
    void start() {
        cluster = new PlayedCluster(server, dir, Instant.parse("2026-03-02T10:00:00Z"));
        cluster.put("j", "\"schedule\": \"* * * * * *\"");
        cluster.work(Duration.ofSeconds(10), STRETCH);
        assertThat(cluster.rows.count("live_task where state = 'PREPARED'")).isGreaterThan(20);
    }

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    @Test
    void a_changed_schedule_leaves_nothing_of_what_was_prepared_ahead() {
        cluster.put("j", "\"schedule\": \"0 30 * * * *\"");
        cluster.work(Duration.ofSeconds(10), STRETCH);

        assertThat(cluster.rows.count(SHOWN)).isZero();
        assertThat(cluster.rows.count(KEPT)).isGreaterThan(20);
        assertThat(cluster.rows.count("v_history where fire_time > utc_timestamp(3)"))
                .isZero();
        assertThat(cluster.brokenLinks(Duration.ofHours(1))).isZero();
        cluster.addsUp();
    }

    @Test
    void nor_does_a_deletion() {
        cluster.delete("j");
        cluster.work(Duration.ofSeconds(40), STRETCH);

        assertThat(cluster.rows.count(SHOWN)).isZero();
        assertThat(cluster.rows.count(KEPT)).isGreaterThan(20);
        cluster.addsUp();
    }

    @Test
    void what_a_person_ended_by_its_id_and_what_a_pause_passed_over_stays() {
        long next = Long.parseLong(
                cluster.rows.one("select max(id) from live_task where state = 'PREPARED' and cursor_of is null"));
        cluster.time.hold();
        cluster.tasks.kill(next);
        assertThat(cluster.rows.count(SHOWN)).isEqualTo(1);

        cluster.pause("j");
        cluster.work(Duration.ofSeconds(10), STRETCH);
        cluster.resume("j");

        assertThat(cluster.rows.count(SHOWN)).isEqualTo(1);
        assertThat(cluster.rows.count("v_history where outcome = 'SKIPPED'")).isPositive();
        cluster.addsUp();
    }

    @Test
    void what_a_change_of_max_runs_asked_for_again_is_not_lost_with_the_next_pause() {
        String cursor = " from job_next n join job j on j.id = n.job_id where j.name = 'k'";
        cluster.put("k", "\"schedule\": \"0 0 1 1 *\"");
        String killed = cluster.rows.one("select n.fire_time" + cursor);
        cluster.time.hold();
        cluster.tasks.kill(Long.parseLong(String.valueOf(cluster.rows.one("select n.task_id" + cursor))));
        cluster.put("k", "\"schedule\": \"0 0 1 1 *\", \"maxRuns\": 3");
        assertThat(cluster.rows.one("select n.fire_time" + cursor)).isEqualTo(killed);

        cluster.pause("k");
        cluster.resume("k");

        assertThat(cluster.rows.one("select n.fire_time" + cursor)).isEqualTo(killed);
        cluster.addsUp();
    }
}
