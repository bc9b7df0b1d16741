package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.exec.RunAs;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A job's user and limits, from what a person sends to what history says. */
@Tag("database")
@Tag("slow")
class RunAsNodesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @BeforeEach
    void as_root_only() {
        assumeThat(RunAs.problem())
                .as("this host lets nobody run as somebody else")
                .isEmpty();
    }

    @Test
    void a_node_of_root_runs_it_as_that_user_and_one_without_the_right_refuses() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start("a").awaitReady(SOON);
            assertThat(put(a, "who", """
                    {"schedule": "@manual", "command": ["id", "-un"], "shell": "none", "user": "nobody",
                     "limits": {"memory": "256MiB"}}
                    """).statusCode()).isEqualTo(201);
            JsonNode ran = ended(a, cluster.run("default", "who"));
            assertThat(ran.path("outcome").asText()).as(ran.toString()).isEqualTo("SUCCEEDED");
            assertThat(ran.path("note").asText()).startsWith("memory was limited ");
            Until.holds(
                    SOON,
                    "its output",
                    () -> a.get("/api/v1/tasks/" + ran.path("id") + "/output")
                            .body()
                            .equals("nobody\n"));

            put(a, "unknown", """
                    {"schedule": "@manual", "command": "touch /tmp/never", "user": "nobody-at-all"}
                    """);
            JsonNode unknown = ended(a, cluster.run("default", "unknown"));
            assertThat(unknown.path("outcome").asText()).isEqualTo("FAILED");
            assertThat(unknown.path("reason").asText())
                    .isEqualTo("could not be started; there is no user nobody-at-all on this node");

            put(a, "long", """
                    {"schedule": "@manual", "command": "setsid sleep 300 & sleep 300", "user": "nobody"}
                    """);
            long task = cluster.run("default", "long");
            Until.holds(SOON, "its start", () -> rows.count("live_task where state = 'EXECUTING'") == 1);
            a.send("POST", "/api/v1/tasks/" + task + "/kill", "");
            assertThat(ended(a, task).path("outcome").asText()).isEqualTo("KILLED");
            String session = cluster.sessionOf("a");
            Cluster.awaitNoProcessOf(session);
            a.terminate();
            a.awaitExit(SOON);

            NodeProcess b =
                    cluster.start("b", Map.of(NodeProcess.WITHOUT, "setuid")).awaitReady(SOON);
            HttpResponse<String> refused = put(b, "other", """
                    {"schedule": "@manual", "command": "true", "user": "daemon"}
                    """);
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
            assertThat(JSON.readTree(refused.body())
                            .path("errors")
                            .get(0)
                            .path("field")
                            .asText())
                    .isEqualTo("user");
            assertThat(refused.body()).contains("no live node can run a command as user daemon");
            assertThat(b.send("PATCH", "/api/v1/jobs/default/who", "{\"description\": \"kept\"}")
                            .statusCode())
                    .isEqualTo(200);
            JsonNode failed = ended(b, cluster.run("default", "who"));
            assertThat(failed.path("outcome").asText()).isEqualTo("FAILED");
            assertThat(failed.path("reason").asText())
                    .isEqualTo("could not be started; this node cannot run it as user nobody: the daemon runs as root"
                            + " without CAP_SETUID");
        }
    }

    private static HttpResponse<String> put(NodeProcess node, String job, String definition) {
        return node.send("PUT", "/api/v1/jobs/default/" + job, definition);
    }

    private static JsonNode ended(NodeProcess node, long task) throws Exception {
        Until.holds(
                SOON,
                "the end of task " + task,
                () -> task(node, task).path("state").asText().equals("ENDED"));
        return task(node, task);
    }

    private static JsonNode task(NodeProcess node, long id) {
        try {
            return JSON.readTree(node.get("/api/v1/tasks/" + id).body());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
