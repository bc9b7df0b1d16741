package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A node with a session timeout of 30 s beside one of 5 s. */
@Tag("database")
@Tag("slow")
class MixedTimeoutsTest {

    private static final Map<String, String> PATIENT =
            Map.of("ROWLOCK_SESSION_FENCE", "20s", "ROWLOCK_SESSION_TIMEOUT", "30s");

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void a_node_frozen_for_12_of_its_30_seconds_keeps_its_session_and_no_second_copy_is_started() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            cluster.start("patient", PATIENT).awaitReady(SOON);
            cluster.job("mixed", "j", "@manual", "until [ -e " + dir.resolve("end") + " ]; do sleep 0.2; done");
            long task = cluster.run("mixed", "j");
            Until.holds(SOON, "a start", () -> cluster.marks.starts("mixed").size() == 1);
            String session = cluster.sessionOf("patient");
            NodeProcess hasty = cluster.start("hasty");
            hasty.awaitReady(SOON);

            hasty.awaitLog("session.timeout is 8s here (node hasty) and 30s on node patient", SOON);
            hasty.awaitHealth("session.timeout is 8s here (node hasty) and 30s on node patient", SOON);
            cluster.node("patient").freeze();
            long frozen = Uptime.millis();
            Until.holds(SOON, "12 seconds", () -> Uptime.millis() - frozen > 12_000);
            cluster.node("patient").thaw();
            Files.createFile(dir.resolve("end"));

            Until.holds(SOON, "its result", () -> rows.count("task_history where outcome <> 'CANCELLED'") == 1);
            assertThat(rows.one("select concat(outcome, ' ', attempt) from task_history where id = " + task))
                    .isEqualTo("SUCCEEDED 1");
            assertThat(cluster.marks.starts("mixed")).hasSize(1);
            assertThat(cluster.sessionOf("patient")).isEqualTo(session);
        }
    }
}
