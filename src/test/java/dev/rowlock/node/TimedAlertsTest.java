package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.TcpRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told because time passes, or of the cluster as a whole. */
class TimedAlertsTest extends AlertsByHand {

    @Test
    void a_lost_node_is_told_once_and_one_that_leaves_is_not() {
        cluster.join("b");
        cluster.join("c");
        alerts.rule("r", "\"when\": [\"NODE_LOST\", \"RECOVERED\"]");
        cluster.time.hold();
        cluster.node("c").departure.leave();
        cluster.crash("c");
        cluster.crash("b");
        alerts.pass(MINUTE);
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("Node b was lost");
        cluster.join("b");
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(2).last().isEqualTo("Node b recovered");
    }

    @Test
    void what_takes_too_long_is_told_while_it_runs() {
        job("j");
        alerts.rule("r", "\"when\": [\"TOO_LONG\", \"RECOVERED\"], \"warnAfter\": \"5m\"");
        cluster.time.advance(MINUTE);
        cluster.time.hold();
        HandDrivenNode node = cluster.node("a");
        node.keeper.runOnce();
        node.schedule();
        cluster.pause("j");
        alerts.pass(Duration.ofMinutes(4));
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(MINUTE);
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j is still running, more than 5m");
    }

    /** As a node of the next version may have raised it. */
    @Test
    void an_alert_of_a_condition_that_only_a_newer_version_knows_is_left_alone() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\", \"RECOVERED\"], \"reminder\": \"1m\"");
        cluster.rows.run("insert into alert (rule, kind, subject, event, job_id, namespace, job, detail, at, raised_at,"
                + " remind_at, sending) select 'r', 'RAIN', concat('job:', id), 'rain', id, namespace, name, '{}',"
                + " utc_timestamp(3), utc_timestamp(3), utc_timestamp(3), 'NONE' from job");

        alerts.run(MINUTE, 1);
        alerts.tell();
        alerts.run(MINUTE, 0);
        alerts.tell();

        assertThat(alerts.receiver.subjects())
                .containsExactly("default/j failed with exit code 1", "default/j recovered");
        assertThat(cluster.rows.count("alert where kind = 'RAIN' and closed_at is null"))
                .isEqualTo(1);
    }

    @Test
    void what_does_not_start_in_time_is_told() {
        job("j");
        alerts.rule("r", "\"when\": [\"NOT_STARTED_BY\"], \"deadline\": \"90s\"");
        alerts.run(Duration.ofSeconds(20), 0);
        cluster.put("h", "\"schedule\": \"* * * * *\", \"nodes\": \"nobody=has\", \"startDeadline\": \"1h\"");
        alerts.run(MINUTE, 0);
        alerts.pass(Duration.ofSeconds(100));
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(1);
        assertThat(alerts.receiver.requests().get(0).body()).contains("default/h did not start within 1m30s");
    }

    @Test
    void a_job_that_never_succeeded_is_told_when_it_is_old_enough() {
        job("j");
        alerts.rule("r", "\"when\": [\"NEVER_SUCCEEDED\"], \"after\": \"1h\"");
        alerts.run(MINUTE, 1);
        cluster.pause("j");
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(Duration.ofHours(1));
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j has never succeeded");
    }

    @Test
    void a_time_without_the_database_is_told_once_for_all_nodes() {
        cluster.join("b");
        alerts.rule("r", "\"when\": [\"DATABASE_AWAY\"], \"after\": \"20s\"");
        alerts.pass(MINUTE);
        cluster.rows.run("insert into alert_report (node, from_at, until_at, reason) values"
                + " ('a', '2026-10-24 20:01:00', '2026-10-24 20:01:31', 'the database does not answer'),"
                + " ('b', '2026-10-24 20:01:05', '2026-10-24 20:01:33', 'the database does not answer'),"
                + " ('b', '2026-10-24 20:01:36', '2026-10-24 20:01:38', 'too short')");
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("The database was away for 31s");
        assertThat(cluster.rows.count("alert_report")).isZero();
    }

    @Test
    void a_token_that_expires_soon_is_told_until_it_is_renewed() {
        for (String name : List.of("deploy", "forgotten")) {
            cluster.rows.run("insert into api_token (name, token_id, hash, role, created_at, expires_at) values ('"
                    + name + "', 'id-" + name + "', 'hash-" + name
                    + "', 'viewer', '2026-10-01', '2026-10-30 12:00:00')");
        }
        alerts.rule("r", "\"when\": [\"TOKEN_EXPIRING\", \"RECOVERED\"], \"before\": \"5d\"");
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(Duration.ofDays(1));
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("2 alerts: Token deploy, Token forgotten");
        assertThat(alerts.receiver.requests().get(0).body())
                .contains("Token deploy expires on 2026-10-30 12:00:00 UTC");
        cluster.rows.run("update api_token set expires_at = '2027-10-30' where name = 'deploy'");
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(2).last().isEqualTo("Token deploy recovered");
        alerts.pass(Duration.ofDays(6)); // nobody has renewed the other one, and it is of no use to say so
        alerts.tell();
        assertThat(alerts.receiver.requests()).hasSize(2);
        assertThat(cluster.rows.one("select closed_why from alert where subject = 'token:forgotten'"))
                .isEqualTo("OVER");
    }

    @Test
    void a_verification_that_failed_is_told_until_one_finds_nothing() {
        alerts.rule("r", "\"when\": [\"VERIFICATION_FAILED\", \"RECOVERED\"]");
        verified(2);
        alerts.tell();
        verified(3);
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("rowlock verify found 2 jobs that do not add up");
        verified(0);
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(2).last().isEqualTo("rowlock verify recovered");
    }

    private void verified(long wrong) {
        cluster.time.advance(MINUTE);
        String found = new Verification(cluster.time.now(), null, null, 10, wrong, 1000).text();
        cluster.rows.run("replace into setting (name, value) values ('last-verification', '" + found + "')");
    }

    @Test
    void a_node_without_the_database_says_so_when_it_is_back() throws IOException {
        alerts.rule("r", "\"when\": [\"DATABASE_AWAY\"], \"after\": \"20s\"");
        TcpRelay relay = cluster.playground.relay();
        HandDrivenNode node = cluster.node("a");
        try (Database over = Database.single(cluster.playground.address(relay), Duration.ofSeconds(2))) {
            Step sending = alerts.sending(node, over, PlayedAlerts.KEYS);
            sending.runOnce();
            relay.goAway();
            assertThatThrownBy(sending::runOnce).isInstanceOf(DatabaseUnavailable.class);
            node.nanos.advance(Duration.ofSeconds(31));
            assertThatThrownBy(sending::runOnce).isInstanceOf(DatabaseUnavailable.class);
            relay.passThrough();
            sending.runOnce();
            cluster.time.hold();
            node.keeper.runOnce(); // its session is over; the next one tells
            node.nanos.advance(Duration.ofSeconds(1));
            sending.runOnce();
        }
        alerts.tell();
        assertThat(alerts.receiver.subjects()).containsExactly("The database was away for 31s");
        assertThat(alerts.receiver.requests().get(0).body()).doesNotContain("127.0.0.1:" + relay.port());
    }

    @Test
    void a_node_that_has_not_joined_asks_for_no_table_that_may_not_be_there() {
        HandDrivenNode fresh = cluster.playground.node("fresh", cluster.playground.address());
        DatabaseAddress empty = new DatabaseAddress(
                server.url().replaceFirst("/[^/?]+([?]|$)", "/information_schema$1"), server.user(), server.password());
        try (Database over = Database.single(empty, Duration.ofSeconds(10))) {
            assertThat(alerts.sending(fresh, over, PlayedAlerts.KEYS).runOnce().more())
                    .isFalse();
        }
    }

    @Test
    void however_many_pass_a_deadline_at_once_each_is_told_of_and_none_twice() {
        alerts.rule("r", "\"when\": [\"NOT_STARTED_BY\"], \"deadline\": \"90s\"");
        cluster.rows.run("insert into job (id, namespace, name, version, definition, paused, created_at, updated_at)"
                + " select 900000 + n, 'many', concat('j', n), 1, '{}', false, '2026-10-24', '2026-10-24' from "
                + Numbers.upTo(1_250));
        cluster.rows.run("insert into job_version (job_id, version, namespace, name, definition, paused, valid_from)"
                + " select id, version, namespace, name, definition, paused, created_at from job where id > 900000");
        cluster.rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, due_at, state)"
                + " select id, 1, id % 64, '2026-10-24 20:01:00', 1, 'SCHEDULE', null, 'IDLE' from job"
                + " where id > 900000");
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.pass(Duration.ofMinutes(2));
        alerts.tell();
        alerts.tell();
        assertThat(alerts.receiver.subjects()).hasSize(1);
        assertThat(alerts.receiver.subjects().get(0)).startsWith("1,250 not started in time: many/j");
        assertThat(cluster.rows.count("alert where sending = 'SENT'")).isEqualTo(1_250);
        cluster.rows.run("delete from job where id > 900000");
    }
}
