package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who is told of runs, and how often. */
class AlertsTest extends AlertsByHand {

    @Test
    void a_failed_run_is_told_once() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 3);
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 3");
        assertThat(cluster.rows.one("select sending from alert")).isEqualTo("SENT");
    }

    @Test
    void what_failed_before_the_rule_was_made_is_not_told() {
        job("j");
        alerts.run(MINUTE, 3);
        alerts.pass(Duration.ofSeconds(2));
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
    }

    @Test
    void failing_twice_in_a_row_is_told_once_until_it_recovers() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED_IN_A_ROW\", \"RECOVERED\"], \"times\": 2");
        alerts.run(MINUTE, 1);
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        for (int i = 0; i < 3; i++) {
            alerts.run(MINUTE, 1);
            alerts.tell();
        }
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed 2 times in a row");
        alerts.run(MINUTE, 0);
        alerts.tell();
        alerts.run(MINUTE, 0);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(2).last().isEqualTo("default/j recovered");
        assertThat(alerts.receiver
                        .requests()
                        .get(1)
                        .json()
                        .path("data")
                        .path("text")
                        .asText())
                .contains("Succeeded: task ", ", after 4 failures in a row")
                .doesNotContain("exit code 1\n  Node");
        assertThat(alerts.receiver
                        .requests()
                        .get(1)
                        .json()
                        .at("/data/alerts/0/detail/recovered/failures")
                        .asInt())
                .isEqualTo(4);
        alerts.run(MINUTE, 1);
        alerts.run(MINUTE, 1);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(3);
    }

    @Test
    void an_attempt_that_is_tried_again_is_no_failure_yet() {
        cluster.put("j", "\"schedule\": \"@every 1h\", \"retry\": {\"max\": 1, \"backoff\": \"1s\"}");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(Duration.ofHours(1), 1);
        alerts.tell();
        assertThat(cluster.rows.count("task_history where outcome = 'FAILED'")).isEqualTo(1);
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.run(Duration.ofSeconds(5), 1);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 1");
    }

    @Test
    void a_thousand_failures_are_one_message() {
        cluster.time.hold();
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        // As many jobs as one statement makes of it: what counts is how their ends are told.
        cluster.rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin,"
                + " attempt, cause, outcome, ended_at, last_fire_time, started_at)"
                + " select 1000000 + n, 1000000 + n, 'default', concat('m', n), 1, h.fire_time, '', 1, 'SCHEDULE',"
                + " 'FAILED', h.ended_at, h.fire_time, h.started_at from task_history h straight_join"
                + " (select a.n * 100 + b.n as n from (select 0 n " + union(10) + ") a, (select 0 n " + union(100)
                + ") b) numbers where h.outcome = 'FAILED'");
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(1);
        assertThat(alerts.receiver
                        .requests()
                        .get(0)
                        .json()
                        .path("data")
                        .path("total")
                        .asInt())
                .isEqualTo(1001);
        assertThat(alerts.receiver.subjects().get(0)).startsWith("1,001 failed: ");
        assertThat(cluster.rows.count("alert where sending = 'SENT'")).isEqualTo(1001);
    }

    private static String union(int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < n; i++) {
            text.append(" union all select ").append(i);
        }
        return text.toString();
    }

    @Test
    void it_is_told_again_until_it_is_over() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED_IN_A_ROW\"], \"times\": 1, \"reminder\": \"1h\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        cluster.pause("j");
        alerts.pass(Duration.ofMinutes(50));
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(1);
        alerts.pass(Duration.ofMinutes(11));
        alerts.tell();
        assertThat(alerts.receiver.subjects())
                .hasSize(2)
                .last()
                .isEqualTo("Reminder: default/j failed with exit code 1");
        cluster.resume("j");
        alerts.run(MINUTE, 0);
        alerts.run(MINUTE, 0);
        alerts.tell();
        alerts.pass(Duration.ofHours(2));
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(2);
        assertThat(cluster.rows.one("select closed_why from alert")).isEqualTo("RECOVERED");
    }

    @Test
    void a_result_that_is_recorded_late_is_told() {
        cluster.join("b");
        job("j");
        job("k");
        alerts.rule("r", "\"when\": [\"FAILED\", \"FAILED_IN_A_ROW\"], \"times\": 1");
        cluster.time.advance(MINUTE);
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.keeper.runOnce();
            node.schedule();
            node.processes.end(1); // and nobody records it yet
        }
        cluster.pause("j");
        cluster.pause("k");
        cluster.put("l", "\"schedule\": \"* * * * *\"");
        cluster.time.advance(Duration.ofSeconds(3));
        // What ends later is counted first, so the position passes the time of what is not recorded.
        HandDrivenNode other = cluster.node("b");
        cluster.time.hold();
        other.recorder.runOnce();
        cluster.time.advance(MINUTE);
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.keeper.runOnce();
            node.schedule();
        }
        cluster.time.hold();
        cluster.nodes().forEach(node -> node.processes.end(0));
        other.recorder.runOnce();
        alerts.tell();
        alerts.tell();
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.recorder.runOnce();
        }
        alerts.tell();
        alerts.tell();
        assertThat(cluster.rows.count("task_history where outcome = 'FAILED'")).isEqualTo(2);
        assertThat(cluster.rows.count("alert where kind = 'FAILED'")).isEqualTo(2);
        assertThat(cluster.rows.count("alert where kind = 'FAILED_IN_A_ROW'")).isEqualTo(2);
        assertThat(cluster.rows.count("alert_late")).isZero();
    }

    @Test
    void a_rule_that_changes_ends_what_it_is_no_longer_about() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"], \"reminder\": \"1h\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        alerts.rule("r", "\"when\": [\"TOO_SHORT\"], \"atLeast\": \"1s\"");
        assertThat(cluster.rows.one("select closed_why from alert")).isEqualTo("RULE_CHANGED");
        alerts.rule("s", "\"when\": [\"FAILED\"], \"reminder\": \"1h\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        alerts.rule("s", "\"when\": [\"FAILED\"], \"reminder\": \"1h\", \"namespace\": \"other\"");
        cluster.pause("j");
        alerts.pass(Duration.ofHours(2));
        alerts.tell();
        assertThat(cluster.rows.count("alert where closed_at is null")).isZero();
        assertThat(alerts.receiver.requests()).hasSize(2);
    }

    @Test
    void what_ends_suspiciously_soon_is_told() {
        job("j");
        alerts.rule("r", "\"when\": [\"TOO_SHORT\"], \"atLeast\": \"10m\"");
        alerts.run(MINUTE, 0);
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(1);
        assertThat(alerts.receiver.subjects().get(0))
                .startsWith("default/j took only ")
                .endsWith("less than 10m");
    }

    @Test
    void a_rule_about_recoveries_alone_tells_of_nothing_else() {
        job("j");
        alerts.rule("r", "\"when\": [\"RECOVERED\"]");
        alerts.run(MINUTE, 1);
        alerts.tell();
        alerts.run(MINUTE, 0);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j recovered");
    }
}
