package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobKey;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.backfill.BackfillRequest;
import dev.rowlock.task.request.Reruns.RerunResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What else may concern a job that is frozen, as the table of the docs says; the clock begins at 20:00:30 UTC. */
class FrozenBesideTest extends AlertsByHand {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String MINUTELY = "\"schedule\": \"* * * * *\"";

    @AfterEach
    void everythingAddsUp() {
        cluster.addsUp();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HOLD", "SKIP"})
    void a_recovery_waits_under_both_kinds(String then) {
        cluster.put("j", "\"schedule\": \"1 20 * * *\"");
        HandDrivenNode a = cluster.node("a");
        cluster.beat(a, Duration.ofSeconds(31));
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
        long freeze = freeze(then, "1h");
        cluster.join("b");
        HandDrivenNode b = cluster.node("b");
        long beat = Long.parseLong(
                String.valueOf(cluster.rows.one("select beat from session where id = '" + a.session() + "'")));
        assertThat(b.sessions.expire(b.session(), a.session(), beat, "gone")).isTrue();
        cluster.crash("a");
        work(MINUTE);
        assertThat(cluster.rows.one("select concat_ws(' ', cause, state, hold) from task"))
                .isEqualTo("RECOVERY IDLE FREEZE");

        cluster.endFreeze(freeze);
        work(Duration.ofSeconds(4));
        assertThat(cluster.rows.one("select outcome from task_history where cause = 'RECOVERY'"))
                .isEqualTo("SUCCEEDED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RUN_ONCE", "RUN_ALL"})
    void what_makes_up_for_what_was_missed_before_waits(String misfire) {
        cluster.put("j", MINUTELY + ", \"misfire\": \"" + misfire + "\", \"overlap\": \"QUEUE\"");
        cluster.crash("a");
        cluster.sleep(Duration.ofMinutes(5));
        long freeze = freeze("HOLD", "1h");
        cluster.join("b");
        work(Duration.ofSeconds(20));
        int caughtUp = "RUN_ALL".equals(misfire) ? 5 : 1;
        assertThat(cluster.rows.count("task where cause = 'CATCH_UP' and hold = 'FREEZE'"))
                .isEqualTo(caughtUp);
        assertThat(cluster.rows.count("task_history where started_at is not null"))
                .isZero();

        cluster.endFreeze(freeze);
        work(Duration.ofSeconds(20));
        assertThat(cluster.rows.count("task_history where cause = 'CATCH_UP' and outcome = 'SUCCEEDED'"))
                .isEqualTo(caughtUp);
    }

    @Test
    void a_rerun_runs_and_its_answer_names_the_freeze() {
        cluster.put("j", "\"schedule\": \"1 20 * * *\"");
        alerts.run(MINUTE, 1);
        long freeze = freeze("HOLD", "1h");
        cluster.time.hold();
        RerunResult rerun = cluster.reruns.rerun(
                RerunRequest.parse(PlayedCluster.json("{\"since\": \"2026-10-24T20:00:00Z\"}")), null);
        work(Duration.ofSeconds(3));

        assertThat(rerun.freezes()).singleElement().asString().startsWith("freeze " + freeze + " by Rowlock until ");
        assertThat(cluster.rows.one(
                        "select group_concat(concat_ws(' ', cause, outcome) order by id) from task_history"))
                .isEqualTo("SCHEDULE FAILED,MANUAL SUCCEEDED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"HOLD", "SKIP"})
    void a_backfill_waits_under_both_kinds(String then) {
        cluster.put("j", "\"schedule\": \"0 * * * *\"");
        long freeze = freeze(then, "30m");
        cluster.time.hold();
        cluster.backfills.request(
                new JobKey("default", "j"),
                BackfillRequest.parse(PlayedCluster.json(
                        "{\"from\": \"2026-10-24T10:00:00Z\", \"until\": \"2026-10-24T12:00:00Z\"}")),
                null);
        backfill(MINUTE);
        assertThat(cluster.rows.count("task_history where cause = 'BACKFILL'")).isZero();

        cluster.endFreeze(freeze);
        backfill(Duration.ofSeconds(20));
        assertThat(cluster.rows.count("task_history where cause = 'BACKFILL' and outcome = 'SUCCEEDED'"))
                .isEqualTo(2);
    }

    @Test
    void what_is_held_is_not_finished_and_what_is_skipped_is_not_asked_for() {
        alerts.rule("r", "\"when\": [\"NOT_FINISHED_BY\"]");
        cluster.put("held", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"1m\"");
        cluster.put("skipped", "\"schedule\": \"1 20 * * *\", \"finishBy\": \"1m\"");
        cluster.freeze("\"jobs\": [\"default/held\"], \"for\": \"1h\"");
        cluster.freeze("\"jobs\": [\"default/skipped\"], \"for\": \"1h\", \"then\": \"SKIP\"");
        work(Duration.ofMinutes(3));
        alerts.pass(SECOND);
        alerts.detect();
        assertThat(cluster.rows.one("select group_concat(job) from alert")).isEqualTo("held");
    }

    @Test
    void what_was_held_starts_on_all_nodes() {
        cluster.join("b");
        for (int i = 0; i < 40; i++) {
            cluster.put("j" + i, "\"schedule\": \"1 20 * * *\"");
        }
        long freeze = freeze("HOLD", "1h");
        work(MINUTE);
        assertThat(cluster.rows.count("live_task where hold = 'FREEZE'")).isEqualTo(40);
        cluster.endFreeze(freeze);
        for (int i = 0; i < 4; i++) {
            cluster.nodes().forEach(node -> {
                cluster.time.hold();
                node.waits.runOnce();
                node.schedule();
            });
        }
        int onA = cluster.node("a").processes.started.size();
        assertThat(onA).isBetween(10, 30);
        assertThat(cluster.node("b").processes.started).hasSize(40 - onA);
    }

    private long freeze(String then, String time) {
        return cluster.freeze("\"all\": true, \"for\": \"" + time + "\", \"then\": \"" + then + "\"");
    }

    private void backfill(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            cluster.takeTurns();
            work(SECOND);
        }
    }

    private void work(Duration by) {
        for (Duration passed = Duration.ZERO; passed.compareTo(by) < 0; passed = passed.plus(SECOND)) {
            cluster.time.advance(SECOND);
            cluster.waits();
            cluster.round();
        }
    }
}
