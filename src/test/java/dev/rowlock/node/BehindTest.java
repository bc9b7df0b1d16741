package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.scheduler.Backlog;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
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

/** A node that has more to do than it can: what has waited longest comes first. */
@Tag("database")
class BehindTest {

    private static final int PREPARED = 600;
    private static final int OLDER = 10;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private PlayedCluster cluster;
    private Rows rows;
    private HandDrivenNode a;

    @BeforeEach
    void open() {
        cluster = new PlayedCluster(SERVER, dir, Instant.parse("2026-03-28T10:00:00Z"), 2_000);
        rows = cluster.rows;
        cluster.join("a");
        a = cluster.nodes().get(0);
        a.nanos.stop();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void what_nobody_has_prepared_does_not_wait_until_all_is_fired_that_was() {
        IdleJobs.insert(rows, PREPARED + OLDER);
        due("10:00:10", "job_id <= " + PREPARED);
        a.schedule();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(PREPARED);
        due("10:00:05", "job_id > " + PREPARED);
        time(12);

        a.pollSoon();
        a.scheduler.runOnce();
        assertThat(a.processes.started).hasSize(500);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(PREPARED - 500 + OLDER);
        a.scheduler.runOnce();

        assertThat(started().subList(500, 500 + OLDER))
                .allSatisfy(job -> assertThat(job).matches("default/idle-6(0[1-9]|10)"));
        assertThat(started()).hasSize(PREPARED + OLDER);
    }

    @Test
    void what_is_prepared_and_due_does_not_wait_until_more_is_prepared_ahead() {
        IdleJobs.insert(rows, 3 * PREPARED);
        due("10:00:00.05", "job_id <= " + PREPARED);
        a.schedule();
        due("10:00:20", "job_id > " + PREPARED);
        a.pollSoon();
        a.scheduler.runOnce();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(PREPARED + 500);
        time(Duration.ofMillis(60));

        a.scheduler.runOnce();

        assertThat(started()).hasSize(PREPARED);
    }

    @Test
    void it_says_so_once() {
        IdleJobs.insert(rows, PREPARED);
        due("10:00:05", "true");
        a.schedule();
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(PREPARED);
        cluster.put("more", "\"schedule\": \"* * * * * *\"");
        a.slots.resize(1);

        try (LogLines log = LogLines.of(Backlog.class)) {
            for (int second = 0; second < 12; second++) {
                time(1);
                a.schedule();
            }
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("tasks or more are due", "none of its 1 slots is free");
        }
    }

    @Test
    void it_says_so_of_what_nobody_had_prepared() {
        IdleJobs.insert(rows, 5 * PREPARED);
        due("10:00:00", "true");

        try (LogLines log = LogLines.of(Backlog.class)) {
            for (int second = 0; second < 5; second++) {
                time(1);
                a.pollSoon();
                a.scheduler.runOnce();
            }
            assertThat(log.texts()).singleElement().asString().contains("more becomes due than it can start");
        }
        assertThat(started()).hasSizeLessThan(5 * PREPARED);
    }

    @Test
    void of_a_job_that_is_late_one_occurrence_is_started_after_the_other() {
        cluster.put("j", "\"schedule\": \"* * * * * *\"");
        time(1);
        a.schedule();
        time(3);

        a.schedule();

        assertThat(started()).containsExactly("default/j");
        assertThat(rows.all("select distinct reason from task_history").stream()
                        .map(row -> String.valueOf(row.get("reason"))))
                .allSatisfy(reason -> assertThat(reason).contains("was still executing"));
    }

    @Test
    void while_more_waits_than_one_scan_finds_nothing_is_passed_over_until_a_job_is_less_late() {
        IdleJobs.insert(rows, PREPARED);
        due("10:00:01.500", "true");
        cluster.put("j", "\"schedule\": \"* * * * * *\"");
        time(12);

        a.pollSoon();
        a.scheduler.runOnce();
        assertThat(rows.count("live_task where state = 'PREPARED' and job_id > " + PREPARED))
                .isEqualTo(1);
        assertThat(rows.count("task_history")).isZero();
        a.pollSoon();
        a.scheduler.runOnce();

        assertThat(rows.all("select outcome, occurrences from task_history where occurrences > 1"))
                .singleElement()
                .asString()
                .contains("SKIPPED", "10");
    }

    @Test
    void what_comes_next_waits_for_a_result_that_has_only_to_be_recorded() {
        firstHasEnded();
        time(1);

        a.schedule();
        assertThat(started()).hasSize(1);
        assertThat(rows.count("task_history")).isZero();
        a.recorder.runOnce();
        a.schedule();

        assertThat(started()).hasSize(2);
        assertThat(rows.count("task_history where outcome = 'SUCCEEDED'")).isEqualTo(1);
        assertThat(rows.count("task_history")).isEqualTo(1);
    }

    @Test
    void what_has_ended_and_cannot_be_recorded_is_in_the_way() {
        firstHasEnded();
        time(3);

        a.schedule();

        assertThat(started()).hasSize(1);
        assertThat(rows.count("task_history where outcome = 'SKIPPED'")).isEqualTo(3);
    }

    /** Of a job of every second, for this node only. */
    private void firstHasEnded() {
        cluster.put("j", "\"schedule\": \"* * * * * *\"");
        time(1);
        a.schedule();
        assertThat(started()).hasSize(1);
        a.processes.end(0);
    }

    private List<String> started() {
        return a.processes.started.stream()
                .map(spec -> String.valueOf(spec.environment().get("ROWLOCK_JOB")))
                .toList();
    }

    private void due(String time, String which) {
        rows.run("update live_task set fire_time = '2026-03-28 " + time + "', due_at = fire_time where " + which);
    }

    private void time(int seconds) {
        time(Duration.ofSeconds(seconds));
    }

    private void time(Duration passed) {
        cluster.time.advance(passed);
        cluster.nodes().forEach(node -> node.nanos.advance(passed));
        cluster.time.hold();
    }
}
