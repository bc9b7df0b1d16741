package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node whose URL names two servers, of which one goes away. */
class FailoverOfNodesTest {

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
}
