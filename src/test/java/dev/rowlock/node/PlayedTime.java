package dev.rowlock.node;

import dev.rowlock.db.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The database's time as a test says it is: set on every connection, which the server is told to keep for longer than a node would. */
final class PlayedTime {

    private final Map<Database, Told> databases = new LinkedHashMap<>();
    private final List<HandDrivenNode> nodes = new ArrayList<>();
    private Instant now;

    /** The connection that was told the time last, and that time. */
    private record Told(Connection connection, Instant time) {}

    PlayedTime(Instant start) {
        this.now = start;
    }

    Instant now() {
        return now;
    }

    /** How far time may go at once where all is due at full minutes: a second around them, else up to five. */
    Duration stretch() {
        int second = now.atOffset(ZoneOffset.UTC).getSecond();
        return Duration.ofSeconds(second < 5 || second >= 55 ? 1 : 5 - second % 5);
    }

    void rules(Database database) {
        databases.put(database, told(database, null));
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
        node.databases.forEach(databases::remove);
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
        databases.replaceAll(this::told);
    }

    private String seconds() {
        return BigDecimal.valueOf(now.toEpochMilli(), 3).toPlainString();
    }

    /** Costs a round trip only if the time is another, or the connection is. */
    private Told told(Database database, @Nullable Told before) {
        return database.autoCommit("setting the time", handle -> {
            Told current = new Told(handle.getConnection(), now);
            if (!current.equals(before)) {
                handle.execute("set timestamp = " + seconds() + ", wait_timeout = 600");
            }
            return current;
        });
    }
}
