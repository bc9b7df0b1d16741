package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.NotifySocket;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that stops while a command runs, in a unit with {@code NotifyAccess=main}: what systemd hears of it. */
@Tag("database")
@Tag("slow")
class SupervisedNodeTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir
    Path dir;

    @Test
    void the_time_that_shutdown_grace_may_take_is_asked_for_before_it_begins() throws Exception {
        Rows rows = new Rows(database);
        try (NotifySocket socket = NotifySocket.at(dir.resolve("notify"));
                Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            Map<String, String> unit = new TreeMap<>(Map.of("ROWLOCK_SHUTDOWN_GRACE", "10m"));
            unit.put("NOTIFY_SOCKET", socket.name());
            NodeProcess node = cluster.start("a", unit).awaitReady(SOON);
            cluster.job("ops", "long", "@manual", "[ -z \"${NOTIFY_SOCKET-}\" ] && sleep 3");
            cluster.run("ops", "long");
            Until.holds(SOON, "its start", () -> rows.count("v_running") == 1);
            assertThat(socket.message()).as("nothing to say until then").isEmpty();

            node.terminate();

            String said = Until.is(SOON, "the message", () -> socket.message().orElse(null));
            assertThat(said)
                    .isEqualTo("STOPPING=1\nEXTEND_TIMEOUT_USEC="
                            + Duration.ofMinutes(20).plusSeconds(90).toMillis() * 1000);
            assertThat(node.isAlive()).as("the command runs on").isTrue();
            assertThat(node.awaitExit(SOON)).isZero();
            assertThat(rows.one("select outcome from task_history")).isEqualTo("SUCCEEDED");
        }
    }
}
