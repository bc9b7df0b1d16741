package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.send.Detection;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.Receiver.Request;
import dev.rowlock.support.TcpRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is lost, and nothing is raised twice, wherever whoever raises and sends is cut off. */
@Tag("database")
@Timeout(300)
class AlertCrashTest extends AlertsByHand {

    private static final Duration LONG = Duration.ofSeconds(30);

    @BeforeEach
    void begin() {
        cluster.put("j", "\"schedule\": \"* * * * *\"");
        alerts.rule("r", "\"when\": [\"FAILED\"], \"groupWait\": \"0s\"");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_node_that_is_cut_off_while_it_raises_alerts_loses_none(boolean afterAnswer) throws IOException {
        boolean sprung = true;
        for (int n = 1; sprung; n++) {
            alerts.run(MINUTE, 1);
            alerts.count();
            sprung = isCutOff(over -> new Detection(cluster.node("a").context(), over, () -> {}), n, afterAnswer);

            alerts.detect();
            alerts.send();
            assertThat(cluster.rows.count("alert")).as("cut at statement %d", n).isEqualTo(n);
            assertThat(alerts.receiver.requests()).as("cut at statement %d", n).hasSize(n);
        }
        assertThat(alerts.receiver.requests()).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_node_that_is_cut_off_while_it_sends_repeats_itself_at_most(boolean afterAnswer) throws IOException {
        boolean sprung = true;
        for (int n = 1; sprung; n++) {
            alerts.run(MINUTE, 1);
            alerts.detect();
            sprung = isCutOff(over -> alerts.sending(cluster.node("a"), over, PlayedAlerts.KEYS), n, afterAnswer);

            alerts.send();
            assertThat(ids()).as("cut at statement %d", n).hasSize(n);
            assertThat(cluster.rows.count("alert_message where state = 'SENT'"))
                    .as("cut at statement %d", n)
                    .isEqualTo(n);
            assertThat(cluster.rows.count("alert where sending = 'SENT'")).isEqualTo(n);
        }
        assertThat(ids()).hasSizeGreaterThan(8);
        // Only what was cut off between the sending and its record was sent again, and never a third time.
        for (String id : ids()) {
            assertThat(alerts.receiver.requests())
                    .filteredOn(request -> id.equals(idOf(request)))
                    .hasSizeBetween(1, 2);
        }
        assertThat(alerts.receiver.requests().size()).isBetween(ids().size() + 1, ids().size() * 2 - 3);
    }

    @Test
    void of_two_nodes_that_send_at_once_each_message_goes_out_once() throws Exception {
        cluster.join("b");
        for (int i = 0; i < 30; i++) {
            cluster.put("j" + i, "\"schedule\": \"* * * * *\"");
            alerts.rule(
                    "r" + i,
                    "\"when\": [\"FAILED\"], \"namespace\": \"default\", \"job\": \"j" + i
                            + "\", \"groupWait\": \"0s\"");
        }
        alerts.run(MINUTE, 1);
        alerts.detect();
        List<Database> connections = new ArrayList<>();
        List<CompletableFuture<Void>> both = new ArrayList<>();
        try {
            for (HandDrivenNode node : cluster.nodes()) {
                Database own = Database.single(cluster.playground.address(), LONG);
                connections.add(own);
                cluster.time.rules(own);
                Step sending = alerts.sending(node, own, PlayedAlerts.KEYS);
                both.add(CompletableFuture.runAsync(() -> untilDone(sending)));
            }
            both.forEach(CompletableFuture::join);
        } finally {
            connections.forEach(this::close);
        }
        assertThat(alerts.receiver.requests()).hasSize(31);
        assertThat(ids()).hasSize(31);
        assertThat(cluster.rows.count("alert_message where state = 'SENT' and attempts = 1"))
                .isEqualTo(31);
    }

    /** Whether the step asked that many statements; it was cut off at the last of them. */
    private boolean isCutOff(Function<Database, Step> step, int statements, boolean afterAnswer) throws IOException {
        TcpRelay relay = cluster.playground.relay();
        Database over = Database.single(cluster.playground.address(relay), Duration.ofSeconds(2));
        try {
            cluster.time.rules(over);
            Step one = step.apply(over);
            Predicate<String> last = new Predicate<>() {
                private int seen;

                @Override
                public boolean test(String statement) {
                    return ++seen == statements;
                }
            };
            TcpRelay.Trap trap = afterAnswer ? relay.cutAfter(last) : relay.cutBefore(last);
            try {
                untilDone(one);
            } catch (DatabaseUnavailable e) {
                assertThat(awaitSprung(trap)).isTrue();
            }
            return trap.hasSprung();
        } finally {
            close(over);
        }
    }

    /** The client may notice before the relay says so. */
    private static boolean awaitSprung(TcpRelay.Trap trap) {
        try {
            return trap.awaitSprung(LONG);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void close(Database over) {
        cluster.time.forget(over);
        over.close();
    }

    private static void untilDone(Step step) {
        Pass pass = step.runOnce();
        while (pass.more()) {
            pass = step.runOnce();
        }
    }

    private Set<String> ids() {
        Set<String> ids = new HashSet<>();
        alerts.receiver.requests().forEach(request -> ids.add(idOf(request)));
        return ids;
    }

    private static String idOf(Request request) {
        return request.headers().getOrDefault("webhook-id", "none");
    }
}
