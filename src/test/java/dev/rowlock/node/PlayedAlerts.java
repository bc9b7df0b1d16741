package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.AlertChannel;
import dev.rowlock.alert.AlertRule;
import dev.rowlock.alert.AlertSilence;
import dev.rowlock.alert.send.AlertAgent;
import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.alert.send.ClusterPing;
import dev.rowlock.alert.send.Destinations;
import dev.rowlock.alert.send.Detection;
import dev.rowlock.alert.send.Sender;
import dev.rowlock.alert.store.ChannelStore;
import dev.rowlock.alert.store.RuleStore;
import dev.rowlock.alert.store.SilenceStore;
import dev.rowlock.audit.Audit;
import dev.rowlock.db.Database;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.Receiver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Alerts of a played cluster: steps by hand, and a receiver on this host. */
final class PlayedAlerts implements AutoCloseable {

    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** As long a rest is only taken by a counter that has counted all, or on a machine that is very slow. */
    private static final Duration NOTHING_TO_COUNT = Duration.ofSeconds(2);

    static final KeyRing KEYS = KeyRing.of(List.of(KeyRing.newKey()));

    final Receiver receiver = new Receiver();
    final Database database;
    private final PlayedCluster cluster;
    private final AlertSettings settings;
    private final Map<HandDrivenNode, HistoryCounter> counters = new LinkedHashMap<>();
    private final Map<HandDrivenNode, Detection> detections = new LinkedHashMap<>();
    private final Map<HandDrivenNode, Step> sendings = new LinkedHashMap<>();

    PlayedAlerts(PlayedCluster cluster, Path dir) throws IOException {
        this.cluster = cluster;
        this.database = Database.single(cluster.playground.address(), Duration.ofSeconds(30));
        cluster.time.rules(database);
        Sender sender = new Sender(
                new Destinations(List.of("127.0.0.1"), InetAddress::getAllByName),
                null,
                Map.of(),
                new OperatorCommand(dir));
        this.settings = new AlertSettings(sender, null, null, Duration.ofMinutes(1));
        for (String table : List.of("", "_message", "_part", "_rule", "_channel", "_silence", "_late", "_report")) {
            cluster.rows.run("delete from alert" + table);
        }
        cluster.rows.run("delete from setting where name in ('alerts-claim', 'ping-claim', 'last-verification')");
        channel("ops", "/ops");
        // The database was made today, and the play begins before that.
        cluster.rows.run("update alert_state set rules = rules + 1, pings = false, read_id = 0, reached = null,"
                + " read_at = '2026-10-24 20:00:00', looked_at = '2026-10-24 20:00:00'");
        detect(); // history is counted from its beginning
    }

    void channel(String name, String path) {
        cluster.time.hold();
        ChannelStore channels = new ChannelStore(database);
        AlertChannel channel = AlertChannel.parse(
                PlayedCluster.json("{\"type\": \"webhook\", \"destination\": \"" + receiver.url(path) + "\"}"));
        assertThat(channels.put(name, channel, channels.find(name).orElse(null), KEYS, Audit.NONE))
                .isTrue();
    }

    /** A rule for the channel ops. */
    void rule(String name, String fields) {
        cluster.time.hold();
        new RuleStore(database)
                .put(
                        name,
                        AlertRule.parse(PlayedCluster.json("{\"channels\": [\"ops\"], " + fields + "}")),
                        seen -> {},
                        Audit.NONE);
    }

    void deleteRule(String name) {
        cluster.time.hold();
        new RuleStore(database).delete(name, seen -> {}, Audit.NONE);
    }

    long silence(String fields) {
        cluster.time.hold();
        return new SilenceStore(database)
                .add(AlertSilence.parse(PlayedCluster.json("{" + fields + "}")), Audit.NONE)
                .id();
    }

    void endSilence(long id) {
        cluster.time.hold();
        new SilenceStore(database).delete(id, Audit.NONE);
    }

    /** Commands that were due by then end like that, and are recorded. */
    void run(Duration by, int exitCode) {
        cluster.time.advance(by);
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            node.keeper.runOnce();
            node.reaper.runOnce();
            node.schedule();
            node.processes.end(exitCode);
            node.recorder.runOnce();
            node.compensator.runOnce();
        }
    }

    /** What ended some seconds ago is counted, and alerts are raised, by all nodes. */
    void detect() {
        count();
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            Detection detection = detections.computeIfAbsent(node, n -> new Detection(n.context(), database, () -> {}));
            for (int i = 0; i < 50 && detection.runOnce().more(); i++) {
                cluster.time.hold();
            }
        }
    }

    /** What ended some seconds ago is counted, and no alert is raised yet. */
    void count() {
        pass(Duration.ofSeconds(6));
        for (HandDrivenNode node : cluster.nodes()) {
            cluster.time.hold();
            HistoryCounter counter = counters.computeIfAbsent(node, n -> new HistoryCounter(n.context(), database));
            for (int idle = 0; idle < 3; ) {
                idle = counter.runOnce().rest().compareTo(NOTHING_TO_COUNT) < 0 ? 0 : idle + 1;
            }
        }
    }

    /** What is due is sent, by all nodes in turn. */
    void send() {
        cluster.nodes().forEach(this::send);
    }

    void send(HandDrivenNode node) {
        cluster.time.hold();
        Step sending = sending(node);
        for (int i = 0; i < 50 && sending.runOnce().more(); i++) {
            cluster.time.hold();
        }
    }

    Step sending(HandDrivenNode node) {
        return sendings.computeIfAbsent(node, n -> sending(n, database, KEYS));
    }

    /** The step that sends over this connection, with these keys. */
    Step sending(HandDrivenNode node, Database over, KeyRing keys) {
        return AlertAgent.sending(node.context(), over, settings, keys, Runnable::run);
    }

    /** The step that leaves it to this executor to wait for receivers. */
    Step sending(HandDrivenNode node, Executor executor) {
        return AlertAgent.sending(node.context(), database, settings, KEYS, executor);
    }

    /** The step that tells a watchdog outside that the cluster lives. */
    Step ping(HandDrivenNode node) {
        return new ClusterPing(node.context(), database, settings.sender(), receiver.url("/alive"), MINUTE);
    }

    /** Raises what is to be raised, waits for what shares a message, and sends. */
    void tell() {
        detect();
        pass(Duration.ofSeconds(11));
        send();
    }

    /** Time goes by, in which nodes beat; if it is long, they have lost their sessions, and join again. */
    void pass(Duration time) {
        Duration left = time;
        if (time.compareTo(Duration.ofMinutes(10)) > 0) {
            cluster.time.advance(time.minusSeconds(20));
            cluster.nodes().forEach(node -> node.nanos.advance(time.minusSeconds(20)));
            left = Duration.ofSeconds(20);
        }
        while (left.compareTo(Duration.ZERO) > 0) {
            Duration step = left.compareTo(BEAT) > 0 ? BEAT : left;
            cluster.time.advance(step);
            left = left.minus(step);
            for (HandDrivenNode node : cluster.nodes()) {
                cluster.time.hold();
                node.nanos.advance(step);
                node.keeper.runOnce();
                node.reaper.runOnce();
            }
        }
    }

    @Override
    public void close() {
        receiver.close();
        database.close();
    }
}
