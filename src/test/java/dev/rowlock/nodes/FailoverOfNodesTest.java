package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.support.TwoServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node whose URL names two servers, of which one goes away. */
@Tag("database")
@Tag("slow")
class FailoverOfNodesTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TWO = "take writes at the same time";

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void it_goes_on_under_the_same_session_and_its_commands_do_not_notice() throws Exception {
        Rows rows = new Rows(database);
        try (TcpRelay one = TcpRelay.to(database.address());
                TcpRelay two = TcpRelay.to(database.address())) {
            Map<String, String> environment = NodeProcess.on(database);
            environment.put(
                    "ROWLOCK_DATABASE_URL",
                    database.urlThrough(one.port())
                            .replace(":" + one.port(), ":" + one.port() + ",127.0.0.1:" + two.port()));
            try (Cluster cluster = new Cluster(dir, environment, rows)) {
                cluster.haveRunning("a");
                cluster.eachSecond("over", 3);
                cluster.job("lasts", "one", "@manual", "sleep 600");
                cluster.run("lasts", "one");
                cluster.awaitRuns("over", 6);
                String session = cluster.sessionOf("a");

                one.goAway();
                cluster.awaitRunsAfter("over", Uptime.millis() + 1500);
                one.passThrough();
                two.goAway();
                cluster.awaitRunsAfter("over", Uptime.millis() + 1500);

                assertThat(cluster.sessionOf("a")).isEqualTo(session);
                assertThat(cluster.marks.starts("lasts")).hasSize(1);
                assertThat(Cluster.processesOf(session)).isNotEmpty();
                two.passThrough();
                cluster.settle("over", 3);
            }
        }
    }

    @Test
    void it_says_so_once_while_both_servers_take_writes() throws Exception {
        try (TwoServers both = new TwoServers(dir.resolve("first"), database)) {
            Map<String, String> environment = NodeProcess.on(database);
            environment.put("ROWLOCK_DATABASE_URL", both.address().url());
            environment.put("ROWLOCK_DATABASE_USER", both.address().user());
            environment.put("ROWLOCK_DATABASE_PASSWORD", both.address().password());
            try (NodeProcess node = NodeProcess.start(dir.resolve("a"), environment)) {
                node.awaitReady(SOON);
                node.awaitHealth(TWO, SOON);
                node.awaitReady(SOON);

                both.first.run("set global read_only = 1");

                node.awaitLog("Only one database server takes writes again.", SOON);
                Until.holds(
                        SOON,
                        "one writable server",
                        () -> !node.get("/readyz").body().contains(TWO));
                assertThat(node.log().lines().filter(line -> line.contains(TWO)))
                        .singleElement()
                        .asString()
                        .contains(
                                "127.0.0.1:" + both.firstAddress().getPort() + " and 127.0.0.1:"
                                        + database.address().getPort(),
                                "commands may run twice",
                                "super_read_only");
            }
        }
    }
}
