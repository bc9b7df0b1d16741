package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What came due under freezes and is decided late: no node or no slot was there, or it was about to end. */
class FrozenLateTest extends FreezesByHand {

    private static final String FREEZE = "\"all\": true, \"until\": \"2026-03-02T10:%s:30Z\", \"then\": \"%s\"";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    FrozenLateTest() {
        super(SERVER);
    }

    @Test
    void without_a_node_what_a_freeze_skips_is_skipped_in_one_row_and_no_misfire() {
        cluster.put("j", MINUTELY);
        long freeze = cluster.freeze(FREEZE.formatted("30", "SKIP"));
        withoutNode(Duration.ofMinutes(10));
        work(Duration.ofSeconds(10));

        assertThat(ended()).containsExactly("SKIPPED 10:01 10 10:10");
        assertThat(reasons("SKIPPED")).startsWith("freeze " + freeze + " by Rowlock until ");
    }

    @Test
    void without_a_node_until_after_its_end_what_a_freeze_skipped_is_skipped_and_the_rest_are_misfires() {
        cluster.put("j", MINUTELY);
        cluster.put("queues", MINUTELY + ", \"overlap\": \"QUEUE\"");
        cluster.freeze(FREEZE.formatted("05", "SKIP"));
        withoutNode(Duration.ofMinutes(10));
        work(Duration.ofSeconds(10));

        for (String job : List.of("j", "queues")) {
            assertThat(ended(job))
                    .containsExactly("SKIPPED 10:01 5 10:05", "MISSED 10:06 4 10:09", "SUCCEEDED 10:10 1 10:10");
        }
    }

    @Test
    void without_a_node_until_after_its_end_the_latest_that_a_freeze_held_runs_and_the_rest_are_misfires() {
        cluster.put("j", MINUTELY);
        cluster.freeze(FREEZE.formatted("05", "HOLD"));
        work(Duration.ofSeconds(90));
        withoutNode(Duration.ofMinutes(8));
        work(Duration.ofSeconds(10));

        assertThat(ended()).startsWith("SKIPPED 10:01 4 10:04", "SUCCEEDED 10:05 1 10:05", "MISSED 10:06 3 10:08");
        assertThat(reasons("MISSED")).startsWith("no node was there to run these occurrences in time");
        assertThat(cluster.rows.one("select cause from task_history where fire_time = '2026-03-02 10:05:00'"))
                .isEqualTo("SCHEDULE");
        assertThat(cluster.rows.count("live_task where hold is not null")).isZero();
    }

    @Test
    void without_a_node_all_the_time_the_latest_that_a_freeze_would_have_held_runs() {
        cluster.put("j", MINUTELY);
        cluster.freeze(FREEZE.formatted("05", "HOLD"));
        withoutNode(Duration.ofMinutes(8));
        work(Duration.ofSeconds(10));

        assertThat(ended()).startsWith("SKIPPED 10:01 4 10:04", "SUCCEEDED 10:05 1 10:05", "MISSED 10:06 2 10:07");
    }

    @Test
    void of_a_job_that_queues_as_many_wait_as_may_though_no_node_was_there_when_they_came_due() {
        cluster.put("j", MINUTELY + ", \"overlap\": \"QUEUE\", \"overlapLimit\": 3");
        cluster.put("beside", MINUTELY + ", \"overlap\": \"ALLOW\", \"overlapLimit\": 3");
        cluster.freeze(FREEZE.formatted("30", "HOLD"));
        work(Duration.ofSeconds(70));
        withoutNode(Duration.ofMinutes(8));
        work(Duration.ofSeconds(20));

        assertThat(cluster.rows.count("task where hold = 'FREEZE'")).isEqualTo(6);
        assertThat(cluster.rows.count("task_history where outcome <> 'SKIPPED'"))
                .isZero();
    }

    @Test
    void of_a_job_that_queues_as_many_run_as_may_wait_though_no_node_was_there_at_the_end() {
        cluster.put("j", MINUTELY + ", \"overlap\": \"QUEUE\", \"overlapLimit\": 3");
        cluster.freeze(FREEZE.formatted("05", "HOLD"));
        work(Duration.ofSeconds(70));
        withoutNode(Duration.ofMinutes(8));
        work(Duration.ofSeconds(30));

        assertThat(ended())
                .startsWith(
                        "SUCCEEDED 10:01 1 10:01",
                        "SKIPPED 10:02 2 10:03",
                        "SUCCEEDED 10:04 1 10:04",
                        "SUCCEEDED 10:05 1 10:05",
                        "MISSED 10:06 3 10:08");
        assertThat(reasons("SKIPPED")).startsWith("as many of the job as may wait did: freeze ");
    }

    @Test
    void what_came_due_under_a_freeze_that_skips_is_skipped_though_it_ended_before_that_was_decided() {
        cluster.put("j", MINUTELY);
        cluster.freeze("\"all\": true, \"until\": \"2026-03-02T10:01:00.500Z\", \"then\": \"SKIP\"");
        cluster.round();
        HandDrivenNode a = cluster.node("a");
        cluster.beat(a, Duration.ofSeconds(61));
        a.schedule();

        assertThat(a.processes.started).isEmpty();
        work(Duration.ofSeconds(2));
        assertThat(ended("j")).containsExactly("SKIPPED 10:01 1 10:01");
    }

    @Test
    void skip_wins_though_a_freeze_that_holds_ends_later() {
        cluster.put("j", MINUTELY);
        cluster.freeze(FREEZE.formatted("05", "HOLD"));
        cluster.freeze("\"all\": true, \"until\": \"2026-03-02T10:01:00.500Z\", \"then\": \"SKIP\"");
        cluster.round();
        cluster.beat(cluster.node("a"), Duration.ofSeconds(61));
        work(Duration.ofMinutes(6));

        assertThat(ended()).startsWith("SKIPPED 10:01 1 10:01", "SKIPPED 10:02 3 10:04", "SUCCEEDED 10:05 1 10:05");
    }

    @Test
    void of_two_stretches_that_hold_with_one_that_skips_between_them_only_the_latest_runs() {
        cluster.put("j", MINUTELY);
        cluster.freeze(FREEZE.formatted("02", "HOLD"));
        cluster.freeze("\"all\": true, \"from\": \"2026-03-02T10:02:20Z\","
                + " \"until\": \"2026-03-02T10:04:40Z\", \"then\": \"SKIP\"");
        cluster.freeze("\"all\": true, \"from\": \"2026-03-02T10:04:30Z\", \"until\": \"2026-03-02T10:06:30Z\"");
        work(Duration.ofSeconds(400));

        assertThat(ended())
                .containsExactly(
                        "SKIPPED 10:01 2 10:02",
                        "SKIPPED 10:03 2 10:04",
                        "SKIPPED 10:05 1 10:05",
                        "SUCCEEDED 10:06 1 10:06");
    }

    @Test
    void what_a_freeze_held_runs_if_nothing_came_due_in_a_later_stretch() {
        cluster.put("j", "\"schedule\": \"1,3 10 * * *\"");
        cluster.freeze(FREEZE.formatted("02", "HOLD"));
        cluster.freeze("\"all\": true, \"from\": \"2026-03-02T10:02:20Z\","
                + " \"until\": \"2026-03-02T10:04:40Z\", \"then\": \"SKIP\"");
        cluster.freeze("\"all\": true, \"from\": \"2026-03-02T10:04:30Z\", \"until\": \"2026-03-02T10:06:30Z\"");
        work(Duration.ofSeconds(400));

        assertThat(ended()).containsExactly("SUCCEEDED 10:01 1 10:01", "SKIPPED 10:03 1 10:03");
    }

    @Test
    void while_another_freeze_elsewhere_is_in_force_misfires_after_the_end_are_told_as_such() {
        cluster.put("j", MINUTELY);
        cluster.freeze(FREEZE.formatted("05", "HOLD"));
        cluster.freeze("\"namespaces\": [\"elsewhere\"], \"for\": \"1h\"");
        work(Duration.ofSeconds(90));
        withoutNode(Duration.ofMinutes(8));
        work(Duration.ofSeconds(10));

        assertThat(ended()).contains("MISSED 10:06 3 10:08");
    }

    @Test
    void what_was_missed_before_a_freeze_is_decided_apart_from_what_came_due_under_it() {
        cluster.put("j", MINUTELY);
        cluster.crash("a");
        cluster.sleep(Duration.ofMinutes(3));
        cluster.freeze(FREEZE.formatted("08", "SKIP"));
        cluster.sleep(Duration.ofMinutes(3));
        cluster.join("b");
        work(Duration.ofSeconds(10));

        assertThat(ended()).containsExactly("MISSED 10:01 2 10:02", "SKIPPED 10:04 3 10:06");
        assertThat(cluster.rows.one("select concat_ws(' ', cause, date_format(fire_time, '%H:%i'), hold) from task"))
                .isEqualTo("CATCH_UP 10:03 FREEZE");
    }

    @Test
    void of_what_was_prepared_before_and_is_decided_after_a_freeze_the_latest_alone_runs() {
        cluster.put("j", "\"schedule\": \"*/2 * * * * *\"");
        cluster.put("everywhere", "\"schedule\": \"*/2 * * * * *\", \"broadcast\": true, \"overlap\": \"REPLACE\"");
        work(Duration.ofSeconds(4));
        cluster.freeze("\"all\": true, \"for\": \"5s\", \"then\": \"HOLD\"");
        cluster.sleep(Duration.ofSeconds(7));
        work(Duration.ofSeconds(6));

        String under = "task_history h join freeze f on h.fire_time >= f.from_at and h.fire_time < f.until_at"
                + " where h.origin = '' and h.job = '%s'";
        for (String job : List.of("j", "everywhere")) {
            assertThat(cluster.rows.one("select group_concat(outcome, ' ', occurrences order by fire_time) from "
                            + under.formatted(job)))
                    .matches("SKIPPED [12](,SKIPPED 1)?,(SUCCEEDED|EXPANDED) 1");
        }
    }

    @ParameterizedTest
    @CsvSource({"HOLD, SKIPPED 1 SUCCEEDED 1", "SKIP, SUCCEEDED 1 SKIPPED 1"})
    void what_came_due_before_a_freeze_was_made_and_waits_for_its_end_is_no_misfire(String then, String outcomes) {
        cluster.put("j", MINUTELY);
        cluster.sleep(Duration.ofSeconds(80)); // 10:01 is late, and nobody has prepared it
        cluster.freeze(FREEZE.formatted("02", then).replace("\"until", "\"from\": \"2026-03-02T10:01:20Z\", \"until"));
        work(Duration.ofSeconds(20));
        assertThat(cluster.rows.one("select hold from job_next")).isEqualTo("FREEZE");
        work(Duration.ofSeconds(60));

        assertThat(cluster.rows.one("select group_concat(outcome, ' ', occurrences order by fire_time separator ' ')"
                        + " from task_history where fire_time < '2026-03-02 10:02:30'"))
                .isEqualTo(outcomes);
    }

    @Test
    void of_what_two_freezes_held_that_are_ended_one_after_the_other_the_latest_runs() {
        cluster.put("j", "\"schedule\": \"*/10 * * * * *\"");
        work(Duration.ofSeconds(3));
        long first = cluster.freeze("\"all\": true, \"for\": \"2h\"");
        work(Duration.ofSeconds(22));
        long second = cluster.freeze("\"jobs\": [\"default/j\"], \"for\": \"10m\"");
        work(Duration.ofSeconds(5));
        cluster.endFreeze(first);
        work(Duration.ofSeconds(22));
        cluster.endFreeze(second);
        work(Duration.ofSeconds(5));

        assertThat(cluster.rows.one(
                        "select group_concat(outcome, ' ', date_format(fire_time, '%i:%s'), ' ', occurrences"
                                + " order by fire_time) from task_history"))
                .isEqualTo("SKIPPED 00:10 4,SUCCEEDED 00:50 1");
    }

    private void withoutNode(Duration time) {
        cluster.crash("a");
        cluster.sleep(time);
        cluster.join("b");
    }

    @Override
    void work(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            cluster.round(); // a node that has just joined has heard of no freeze
            cluster.waits();
        }
    }

    private @Nullable String reasons(String outcome) {
        return cluster.rows.one("select min(reason) from task_history where outcome = '" + outcome + "'");
    }
}
