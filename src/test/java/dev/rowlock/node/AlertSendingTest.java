package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.TcpRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of messages, whatever happens to nodes, receivers and the database. */
class AlertSendingTest extends AlertsByHand {

    @Test
    void what_a_silence_hides_is_told_at_its_end_if_it_is_still_so() {
        job("j");
        job("k");
        alerts.rule("r", "\"when\": [\"FAILED_IN_A_ROW\"], \"times\": 1");
        alerts.silence("\"namespace\": \"default\", \"until\": \"2026-10-24T21:00:00Z\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        cluster.pause("j");
        alerts.run(MINUTE, 0); // k recovers
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        assertThat(cluster.rows.count("alert where sending = 'SILENCED'")).isEqualTo(2);
        alerts.pass(Duration.ofHours(1));
        alerts.send();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 1");
        assertThat(cluster.rows.one("select sending from alert where job = 'j'"))
                .isEqualTo("SENT");
        assertThat(cluster.rows.one("select sending from alert where job = 'k'"))
                .isEqualTo("SILENCED");
    }

    @Test
    void a_silence_that_is_ended_hides_nothing_any_more() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        long silence = alerts.silence("\"rule\": \"r\", \"until\": \"2026-10-25T21:00:00Z\"");
        alerts.run(MINUTE, 1);
        alerts.tell();
        assertThat(alerts.receiver.requests()).isEmpty();
        alerts.endSilence(silence);
        alerts.send();
        assertThat(alerts.receiver.requests()).hasSize(1);
    }

    @Test
    void a_node_that_dies_between_claim_and_sending_loses_nothing() {
        cluster.join("b");
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        alerts.detect();
        alerts.pass(Duration.ofSeconds(11));
        // What node a does before it dies.
        cluster.rows.run("update alert_message set attempts = 1, claim = '"
                + cluster.node("a").session() + "-1', session_id = '"
                + cluster.node("a").session() + "'");
        alerts.send(cluster.node("b"));
        assertThat(alerts.receiver.requests()).isEmpty();
        cluster.crash("a");
        alerts.pass(MINUTE);
        alerts.send(cluster.node("b"));
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 1");
        assertThat(cluster.rows.one("select attempts from alert_message where state = 'SENT'"))
                .isEqualTo("2");
    }

    @Test
    void what_nobody_takes_is_tried_for_a_day_under_one_id_and_then_given_up() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        cluster.pause("j");
        alerts.receiver.answer(503, "not now");
        alerts.tell();
        assertThat(cluster.rows.one("select state from alert_message")).isEqualTo("WAITING");
        assertThat(cluster.rows.one("select last_error from alert_message"))
                .isEqualTo("127.0.0.1 answered 503: not now");
        for (int i = 0; i < 30; i++) {
            alerts.pass(Duration.ofHours(1));
            alerts.send();
        }
        assertThat(cluster.rows.one("select state from alert_message")).isEqualTo("GIVEN_UP");
        assertThat(cluster.rows.one("select sending from alert")).isEqualTo("GIVEN_UP");
        assertThat(alerts.receiver.requests()).hasSizeBetween(20, 30);
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.headers().get("webhook-id"))
                .containsOnly(alerts.receiver.requests().get(0).headers().get("webhook-id"));
    }

    @Test
    void a_watchdog_hears_of_starts_and_ends() {
        cluster.put(
                "j",
                "\"schedule\": \"* * * * *\", \"ping\": {\"start\": \"" + alerts.receiver.url("/p/start")
                        + "\", \"success\": \"" + alerts.receiver.url("/p") + "\", \"failure\": \""
                        + alerts.receiver.url("/p/{exitCode}") + "\"}");
        alerts.run(MINUTE, 7);
        alerts.tell();
        alerts.run(MINUTE, 0);
        alerts.tell();
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.method() + " " + request.path())
                .containsExactly("GET /p/7", "GET /p");
    }

    @Test
    void a_node_that_dies_after_sending_and_before_recording_it_has_it_sent_again_under_the_same_id() throws Exception {
        cluster.join("b");
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        alerts.detect();
        alerts.pass(Duration.ofSeconds(11));
        TcpRelay relay = cluster.playground.relay();
        TcpRelay.Trap trap = relay.cutBefore(text -> text.contains("sent_at = utc_timestamp(3)"));
        try (Database over = Database.single(cluster.playground.address(relay), Duration.ofSeconds(2))) {
            Step sending = alerts.sending(cluster.node("a"), over, PlayedAlerts.KEYS);
            assertThatThrownBy(sending::runOnce).isInstanceOf(RuntimeException.class);
        }
        assertThat(trap.awaitSprung(Duration.ofSeconds(10))).isTrue();
        assertThat(alerts.receiver.requests()).hasSize(1);
        cluster.crash("a");
        alerts.pass(MINUTE);
        alerts.send();
        assertThat(alerts.receiver.requests()).hasSize(2);
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.headers().get("webhook-id"))
                .containsOnly(alerts.receiver.requests().get(0).headers().get("webhook-id"));
        assertThat(cluster.rows.one("select concat(state, ' ', attempts) from alert_message"))
                .isEqualTo("SENT 2");
        alerts.send();
        assertThat(alerts.receiver.requests()).hasSize(2);
    }

    @Test
    void a_node_without_the_key_leaves_messages_to_one_that_has_it() {
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.run(MINUTE, 1);
        alerts.detect();
        alerts.pass(Duration.ofSeconds(11));
        Step without = alerts.sending(cluster.node("a"), alerts.database, KeyRing.EMPTY);
        assertThat(without.runOnce().more()).isFalse();
        assertThat(cluster.rows.one("select attempts from alert_message")).isEqualTo("0");
        alerts.send();
        assertThat(alerts.receiver.requests()).hasSize(1);
    }

    @Test
    void what_no_node_can_send_holds_up_nothing_and_is_given_up_with_a_reason() {
        cluster.time.hold();
        new ChannelStore(alerts.database)
                .put(
                        "mail",
                        AlertChannel.parse(
                                PlayedCluster.json("{\"type\": \"email\", \"destination\": \"ops@example.com\"}")),
                        null,
                        PlayedAlerts.KEYS,
                        Audit.NONE);
        job("j");
        alerts.rule("r", "\"when\": [\"FAILED\"]");
        alerts.rule("m", "\"when\": [\"FAILED\"], \"channels\": [\"mail\"]");
        alerts.run(MINUTE, 1);
        alerts.detect();
        cluster.rows.run("insert into alert_message (uid, channel, group_key, state, created_at, next_at, expires_at)"
                + " select concat('old-', n), 'mail', '', 'WAITING', '2026-10-24', '2026-10-24', '2026-10-26' from "
                + Numbers.upTo(250));
        alerts.pass(Duration.ofSeconds(11));
        alerts.send();
        assertThat(alerts.receiver.subjects()).containsExactly("default/j failed with exit code 1");
        alerts.pass(Duration.ofDays(2));
        for (int i = 0; i < 6; i++) {
            alerts.send();
        }
        assertThat(cluster.rows.count("alert_message where channel = 'mail' and state = 'GIVEN_UP'"))
                .isEqualTo(251);
        assertThat(cluster.rows.one("select distinct last_error from alert_message where channel = 'mail'"))
                .contains("smtp.host");
    }

    /** Receivers that answer when the test says so. */
    @Test
    void a_receiver_that_does_not_answer_holds_up_only_what_is_for_it() {
        waiting("ops", "");
        waiting("", "ping:slow.example");
        waiting("", "ping:slow.example");
        waiting("", "ping:other.example");
        List<Runnable> handedOut = new ArrayList<>();
        Step sending = alerts.sending(cluster.node("a"), handedOut::add);
        cluster.time.hold();
        for (int i = 0; i < 10 && sending.runOnce().more(); i++) {
            cluster.time.hold();
        }
        assertThat(cluster.rows.one(
                        "select group_concat(group_key order by group_key) from alert_message where claim is"
                                + " not null"))
                .isEqualTo(",ping:other.example,ping:slow.example");
        assertThat(handedOut).hasSize(3);
        waiting("ops", ""); // the same channel is busy
        assertThat(sending.runOnce().more()).isFalse();
        List.copyOf(handedOut).forEach(Runnable::run);
        for (int i = 0; i < 10 && sending.runOnce().more(); i++) {
            cluster.time.hold();
        }
        assertThat(cluster.rows.count("alert_message where state = 'SENT'")).isEqualTo(3);
        assertThat(handedOut).hasSize(5);
    }

    @Test
    void what_is_being_sent_when_a_node_stops_is_waited_for_and_recorded() throws Exception {
        waiting("", "ping:slow.example");
        List<Runnable> handedOut = new ArrayList<>();
        Step sending = alerts.sending(cluster.node("a"), handedOut::add);
        cluster.time.hold();
        assertThat(sending.runOnce().more()).isTrue();
        Thread receiver = new Thread(handedOut.get(0));
        receiver.start();
        sending.end();
        receiver.join();
        assertThat(cluster.rows.one("select concat(state, ' ', attempts) from alert_message"))
                .isEqualTo("SENT 1");
    }

    private void waiting(String channel, String key) {
        cluster.rows.run("insert into alert_message (uid, channel, group_key, url, state, created_at, next_at,"
                + " expires_at) select concat('msg_', uuid()), '" + channel + "', '" + key + "', "
                + (channel.isEmpty() ? "'" + alerts.receiver.url("/p") + "'" : "null")
                + ", 'WAITING', '2026-10-24', '2026-10-24', '2026-10-26'");
    }

    @Test
    void one_node_at_a_time_tells_a_watchdog_that_the_cluster_lives() {
        cluster.join("b");
        Step first = alerts.ping(cluster.node("a"));
        Step second = alerts.ping(cluster.node("b"));
        cluster.time.hold();
        first.runOnce();
        second.runOnce();
        assertThat(alerts.receiver.requests())
                .extracting(request -> request.method() + " " + request.path())
                .containsExactly("GET /alive");
        alerts.pass(Duration.ofSeconds(40));
        first.runOnce();
        second.runOnce();
        assertThat(alerts.receiver.requests()).hasSize(1);
        alerts.receiver.answer(503, "");
        alerts.pass(Duration.ofSeconds(20));
        first.runOnce(); // the watchdog's own trouble is none of the node's
        second.runOnce();
        assertThat(alerts.receiver.requests()).hasSize(2);
        alerts.receiver.answer(204, "");
        cluster.crash("a");
        alerts.pass(MINUTE);
        second.runOnce();
        assertThat(alerts.receiver.requests()).hasSize(3);
    }
}
