package dev.rowlock.engine;

import dev.rowlock.db.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The database's time as a test says it is: set on every connection, which the server is told to keep for longer than a node would. */
final class PlayedTime {

    private final List<Database> databases = new ArrayList<>();
    private final List<HandDrivenNode> nodes = new ArrayList<>();
    private Instant now;

    PlayedTime(Instant start) {
        this.now = start;
    }

    Instant now() {
        return now;
    }

    void rules(Database database) {
        databases.add(database);
        set(database);
    }

    void rules(HandDrivenNode node) {
        nodes.add(node);
        node.databases.forEach(this::rules);
    }

    void forget(Database database) {
        databases.remove(database);
    }

    void forget(HandDrivenNode node) {
        nodes.remove(node);
        databases.removeAll(node.databases);
    }

    /** Time goes by, for the nodes' machines too. */
    void advance(Duration by) {
        if (!by.isNegative()) {
            nodes.forEach(node -> node.suspended = node.suspended.plus(by));
        }
        step(by);
    }

    /** Time goes by, but the hypervisor paused one node: all clocks of its machine stand still. */
    void advanceWithout(HandDrivenNode paused, Duration by) {
        Duration before = paused.suspended;
        advance(by);
        paused.suspended = before;
    }

    /** The database's clock is set, and no time goes by. */
    void step(Duration by) {
        now = now.plus(by);
        hold();
    }

    /** To be called before each use of the connections. */
    void hold() {
        databases.forEach(this::set);
    }

    private void set(Database database) {
        String seconds = now.getEpochSecond() + "." + String.format("%03d", now.getNano() / 1_000_000);
        database.autoCommit(
                "setting the time", handle -> handle.execute("set timestamp = " + seconds + ", wait_timeout = 600"));
    }
}
