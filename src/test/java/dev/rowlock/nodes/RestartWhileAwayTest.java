package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that end while the database is away, and a node that is gone before it is back. */
@Tag("database")
@Tag("slow")
class RestartWhileAwayTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** As of a host that was renamed, or a container without a fixed name. */
    @Test
    void a_node_of_another_name_records_what_the_one_before_it_could_not() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            NodeProcess old = cluster.start("a").awaitReady(SOON);
            cluster.job("away", "good", "@manual", "echo some output; " + untilExists("go") + "; mark END");
            cluster.run("away", "good");
            Until.holds(SOON, "a start", () -> cluster.marks.starts("away").size() == 1);
            relay.goAway();
            Files.createFile(dir.resolve("go"));
            Path journal = dir.resolve("a/data/nodes/a/results.journal");
            Until.holds(SOON, "a result in the journal", () -> Files.size(journal) > 0);
            end(old, "stopped");
            relay.passThrough();

            cluster.start("a", Map.of("ROWLOCK_NODE_NAME", "renamed")).awaitReady(SOON);

            Until.holds(SOON, "its end", () -> rows.count("live_task") == 0);
            assertThat(rows.all("select outcome, attempt from task_history"))
                    .containsExactly(Map.of("outcome", "SUCCEEDED", "attempt", "1"));
            Until.holds(SOON, "its output", () -> rows.count("task_output where head = 'some output\n'") == 1);
            assertThat(journal).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"killed", "stopped"})
    void their_results_are_recorded_once_with_what_they_were_however_often_the_node_is_started_again(String how)
            throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            NodeProcess a = cluster.start("a").awaitReady(SOON);
            cluster.job("away", "good", "@manual", untilExists("go"));
            cluster.job("away", "bad", "@manual", untilExists("go") + "; mark END; exit 7");
            long good = cluster.run("away", "good");
            long bad = cluster.run("away", "bad");
            Until.holds(SOON, "two starts", () -> cluster.marks.starts("away").size() == 2);

            relay.goAway();
            Files.createFile(dir.resolve("go"));
            Path journal = dir.resolve("a/data/nodes/a/results.journal");
            Until.holds(
                    SOON,
                    "two results in the journal",
                    () -> Files.readAllLines(journal).size() == 2);
            String ended = String.valueOf(rows.one("select utc_timestamp(3)"));
            end(a, how);
            Files.writeString(journal, "{\"task\": 99, \"launch\": \"cut sho", StandardOpenOption.APPEND);
            NodeProcess second = cluster.start("a");
            Until.holds(SOON, "an answer", () -> second.status("/livez") == 200);
            end(second, how);
            NodeProcess third = cluster.start("a");
            Until.holds(SOON, "an answer", () -> third.status("/livez") == 200);
            assertThat(rows.count("task_history")).isZero();
            relay.passThrough();
            third.awaitReady(SOON);

            assertThat(rows.all("select id, outcome, exit_code, attempt, node from task_history order by id"))
                    .containsExactly(
                            Map.of(
                                    "id",
                                    "" + good,
                                    "outcome",
                                    "SUCCEEDED",
                                    "exit_code",
                                    "0",
                                    "attempt",
                                    "1",
                                    "node",
                                    "a"),
                            Map.of("id", "" + bad, "outcome", "FAILED", "exit_code", "7", "attempt", "1", "node", "a"));
            assertThat(rows.count("task_history where ended_at between started_at and '" + ended
                            + "' and duration_ms between 1 and timestampdiff(microsecond, started_at, '" + ended
                            + "') div 1000 + 20"))
                    .as("with the times of when they did end: %s", rows.all("select * from task_history"))
                    .isEqualTo(2);
            assertThat(rows.count("live_task where state <> 'IDLE'")).isZero();
            assertThat(cluster.marks.starts("away")).hasSize(2);
            assertThat(third.log()).contains("line 3 of the journal of results", "cut sho");
            assertThat(Files.size(journal)).as("nothing is left to be told").isZero();
        }
    }

    private static void end(NodeProcess node, String how) throws Exception {
        if (how.equals("killed")) {
            node.kill();
        } else {
            node.terminate();
        }
        node.awaitExit(SOON);
    }

    private Cluster through(TcpRelay relay) throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
        return new Cluster(dir, environment, rows);
    }

    private String untilExists(String file) {
        return "until [ -e '" + dir.resolve(file) + "' ]; do sleep 0.2; done";
    }
}
