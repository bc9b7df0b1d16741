package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which jobs a rule is about, and what shares a message. */
class AlertRulesTest extends AlertsByHand {

    @Test
    void labels_and_names_say_which_jobs() {
        job("j", ", \"labels\": {\"team\": \"db\", \"tier\": \"1\"}");
        job("k", ", \"labels\": {\"team\": \"web\"}");
        job("l", "");
        alerts.rule("labels", "\"when\": [\"FAILED\"], \"labels\": {\"team\": \"db\"}");
        alerts.rule("both", "\"when\": [\"FAILED\"], \"labels\": {\"team\": \"db\", \"tier\": \"2\"}");
        alerts.rule("name", "\"when\": [\"FAILED\"], \"namespace\": \"default\", \"job\": \"l\"");
        alerts.rule("other", "\"when\": [\"FAILED\"], \"namespace\": \"other\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        assertThat(cluster.rows.one("select group_concat(concat(rule, ' ', job) order by rule) from alert"))
                .isEqualTo("labels j,name l");
    }

    @Test
    void a_rule_has_messages_of_its_own() {
        job("j", "");
        job("k", "");
        alerts.rule("r", "\"when\": [\"FAILED\"], \"groupWait\": \"0s\"");
        alerts.rule("s", "\"when\": [\"FAILED\"], \"namespace\": \"default\", \"job\": \"k\", \"groupWait\": \"0s\"");
        alerts.run(MINUTE, 2);
        alerts.detect();
        alerts.send();
        assertThat(alerts.receiver.subjects())
                .containsExactlyInAnyOrder("2 failed: default/j, default/k", "default/k failed with exit code 2");
    }

    @Test
    void a_rule_stored_with_quiet_hours_and_a_grouping_tells_at_once_and_by_rule() {
        job("j", "");
        job("k", "");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        cluster.rows.run("update alert_rule set definition = json_set(definition, '$.groupBy', json_array('JOB'),"
                + " '$.quietHours', json_object('zone', 'UTC', 'from', '00:00', 'to', '23:59'))");
        cluster.rows.run("update alert_state set rules = rules + 1");
        alerts.run(MINUTE, 2);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("2 failed: default/j, default/k");
    }

    /** Nodes are lost, what they ran is lost, and nobody reaches the database: of all of it, a rule sends one message. */
    @Test
    void what_a_failed_database_brings_with_it_is_one_message_of_each_rule() {
        cluster.join("b");
        for (int i = 0; i < 20; i++) {
            job("j" + i, ", \"onLost\": \"FAIL\"");
        }
        alerts.rule("jobs", "\"when\": [\"FAILED\", \"FAILED_IN_A_ROW\"], \"times\": 1");
        alerts.rule("cluster", "\"when\": [\"NODE_LOST\", \"DATABASE_AWAY\"]");
        cluster.time.advance(MINUTE);
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.keeper.runOnce();
            node.schedule();
        }
        cluster.crash("b");
        cluster.rows.run("insert into alert_report (node, from_at, until_at, reason) values"
                + " ('a', '2026-10-24 20:01:35', '2026-10-24 20:02:00', 'the database does not answer')");
        alerts.pass(MINUTE);
        HandDrivenNode left = cluster.node("a");
        cluster.time.hold();
        left.processes.end(1);
        left.recorder.runOnce();
        alerts.tell();
        // Twenty jobs under two conditions; the node, and the database.
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.json().path("data").path("total").asInt())
                .containsExactlyInAnyOrder(40, 2);
    }

    @Test
    void what_takes_much_longer_than_usual_is_told_once_it_is_known_what_that_is() {
        job("j", "");
        job("k", "");
        alerts.rule("r", "\"when\": [\"TOO_LONG\"], \"p95Factor\": 3");
        cluster.rows.run("insert into job_stats (job_id, samples, p95_ms) select id, if(name = 'j', 20, 19), 20000"
                + " from job on duplicate key update samples = values(samples), p95_ms = 20000");
        cluster.time.advance(MINUTE);
        cluster.time.hold();
        HandDrivenNode node = cluster.node("a");
        node.keeper.runOnce();
        node.schedule();
        cluster.pause("j");
        cluster.pause("k");
        alerts.pass(Duration.ofSeconds(40));
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(Duration.ofSeconds(10));
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j is still running, more than 1m");
    }

    @Test
    void what_was_missed_has_not_started_in_time_and_what_is_paused_is_not_awaited() {
        job("missed", ", \"misfire\": \"SKIP\", \"misfireThreshold\": \"5s\"");
        job("paused", "");
        alerts.rule("r", "\"when\": [\"NOT_STARTED_BY\"], \"deadline\": \"2m\"");
        alerts.run(MINUTE, 0);
        cluster.pause("paused");
        alerts.pass(Duration.ofMinutes(6)); // nobody fires anything
        alerts.run(Duration.ofSeconds(1), 0);
        cluster.pause("missed");
        alerts.tell();
        assertThat(cluster.rows.one("select group_concat(distinct job) from alert"))
                .isEqualTo("missed");
        assertThat(cluster.rows.count("task_history where outcome = 'MISSED'")).isPositive();
        assertThat(cluster.rows.count("alert")).isEqualTo(1); // it has not started by now, however often
    }

    @Test
    void what_is_over_when_a_message_goes_out_is_told_as_such() {
        job("j", "");
        alerts.rule("r", "\"when\": [\"FAILED_IN_A_ROW\"], \"times\": 1, \"groupWait\": \"1h\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        alerts.run(MINUTE, 0);
        alerts.tell();
        cluster.pause("j");
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(Duration.ofHours(1));
        alerts.send();
        assertThat(alerts.receiver.requests()).hasSize(1);
        assertThat(alerts.receiver
                        .requests()
                        .get(0)
                        .json()
                        .path("data")
                        .path("text")
                        .asText())
                .contains("failed with exit code 1")
                .contains("it is over since 2026-10-24 20:");
    }

    @Test
    void a_silence_by_labels_hides_what_was_raised_before_it_and_is_not_sent_yet() {
        job("j", ", \"labels\": {\"team\": \"db\"}");
        job("k", "");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        alerts.detect();
        alerts.silence("\"labels\": {\"team\": \"db\"}, \"until\": \"2026-10-24T21:00:00Z\"");
        alerts.pass(Duration.ofSeconds(11));
        alerts.send();
        assertThat(alerts.receiver.subjects()).containsExactly("default/k failed with exit code 1");
        assertThat(cluster.rows.one("select sending from alert where job = 'j'"))
                .isEqualTo("SILENCED");
    }

    @Test
    void a_watchdog_hears_of_a_start_while_the_run_goes_on() {
        job("j", ", \"ping\": {\"start\": \"" + alerts.receiver.url("/p/start") + "\"}");
        cluster.time.advance(MINUTE);
        cluster.time.hold();
        HandDrivenNode node = cluster.node("a");
        node.keeper.runOnce();
        node.schedule();
        cluster.pause("j");
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.method() + " " + request.path())
                .isEqualTo(List.of("GET /p/start"));
    }

    @Test
    void a_start_on_the_edge_between_two_looks_is_that_of_the_earlier_one() {
        job("j", ", \"ping\": {\"start\": \"" + alerts.receiver.url("/p/start") + "\"}");
        alerts.detect();
        cluster.time.advance(MINUTE);
        cluster.time.hold();
        cluster.node("a").keeper.runOnce();
        cluster.node("a").schedule();
        cluster.pause("j");
        cluster.rows.run("update live_task set started_at = (select looked_at - interval 3 second from alert_state)"
                + " where state = 'EXECUTING'");
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
    }
}
