package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Nodes driven by hand on one database, some of them through relays that a test can cut; and what must hold of them at
 * any time.
 */
public final class Playground implements AutoCloseable {

    public final Rows rows;
    final Invariants invariants;
    final List<HandDrivenNode> nodes = new ArrayList<>();
    private final TestDatabase server;
    private final Path dir;
    private final List<TcpRelay> relays = new ArrayList<>();

    /** Empties the tables that an earlier test of the class has used. */
    public Playground(TestDatabase server, Path dir) {
        this.server = server;
        this.dir = dir;
        this.rows = new Rows(server);
        this.invariants = new Invariants(rows, nodes);
        server.empty(
                "task",
                "job_next",
                "task_history",
                "task_span",
                "task_request",
                "session",
                "session_past",
                "session_log",
                "job",
                "job_version",
                "job_run",
                "job_group",
                "freeze",
                "secret",
                "group_slot",
                "task_wait",
                "node_setting",
                "task_aside",
                "backfill",
                "backfill_time",
                "task_uncounted",
                "job_stats",
                "job_day",
                "history_minute");
        rows.run("delete from setting where name in ('history-counted', 'counting-claim')");
        rows.run("update cluster_lock set counted_through = null where counted_through is not null");
    }

    public DatabaseAddress address() {
        return new DatabaseAddress(server.url(), server.user(), server.password());
    }

    public DatabaseAddress address(TcpRelay relay) {
        return new DatabaseAddress(server.urlThrough(relay.port()), server.user(), server.password());
    }

    TcpRelay relay() throws IOException {
        TcpRelay relay = TcpRelay.to(server.address());
        relays.add(relay);
        return relay;
    }

    /** A node that has not joined yet. */
    HandDrivenNode node(String name, DatabaseAddress address) {
        HandDrivenNode node = new HandDrivenNode(name, address, dir, 50);
        nodes.add(node);
        return node;
    }

    /** One with secrets, that has not joined yet. */
    HandDrivenNode joining(String name, Map<String, String> labels, NodeSecrets secrets) {
        HandDrivenNode node = new HandDrivenNode(name, address(), dir, labels, secrets);
        nodes.add(node);
        return node;
    }

    /** One with secrets, that has joined. */
    HandDrivenNode joined(String name, Map<String, String> labels, NodeSecrets secrets) {
        HandDrivenNode node = joining(name, labels, secrets);
        node.keeper.runOnce();
        assertThat(node.lease.current()).isPresent();
        nodes.forEach(other -> other.keeper.runOnce());
        return node;
    }

    public HandDrivenNode joined(String name, DatabaseAddress address) {
        HandDrivenNode node = node(name, address);
        node.keeper.runOnce();
        assertThat(node.lease.current()).isPresent();
        nodes.forEach(other -> other.keeper.runOnce());
        return node;
    }

    public long job(String name, String schedule) {
        return rows.job(
                name,
                "{\"namespace\": \"default\", \"name\": \"" + name + "\", \"schedule\": \"" + schedule
                        + "\", \"command\": \"true\", \"zone\": \"UTC\", \"onLost\": \"RERUN\"}");
    }

    /** A job of every second whose cursor is at the whole second that lies, or lay, about so many seconds from now. */
    long everySecond(String name, int secondsFromNow) {
        long job = job(name, "* * * * * *");
        rows.task(job, secondsFromNow * 1000L, true);
        rows.run(
                "update live_task set fire_time = date_format(fire_time, '%Y-%m-%d %H:%i:%s'), due_at = fire_time where job_id = "
                        + job);
        return job;
    }

    /** The same of one that is late. A deadline lets each occurrence have its turn, however slow the machine is. */
    long lateEverySecond(String name, int secondsAgo) {
        long job = everySecond(name, -secondsAgo);
        String deadline = " set definition = json_set(definition, '$.startDeadline', '1h') where ";
        rows.run("update job" + deadline + "id = " + job);
        rows.run("update job_version" + deadline + "job_id = " + job);
        return job;
    }

    /** One round of everything that a node does, its commands ending at once. */
    static void round(HandDrivenNode node) {
        node.keeper.runOnce();
        node.reaper.runOnce();
        node.schedule();
        node.processes.end(0);
        node.recorder.runOnce();
        node.compensator.runOnce();
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(HandDrivenNode::close);
        for (TcpRelay relay : relays) {
            relay.close();
        }
    }
}
