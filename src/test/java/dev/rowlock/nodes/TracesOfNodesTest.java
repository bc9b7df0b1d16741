package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.rowlock.support.FreePorts;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TestDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a node sends to whoever takes traces, and that it does not mind if nobody does. */
@Tag("database")
@Tag("slow")
class TracesOfNodesTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final List<SentSpan> spans = new CopyOnWriteArrayList<>();

    @Test
    void a_task_becomes_a_trace_that_its_command_knows_of() throws Exception {
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            spans.addAll(SentSpan.read(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        Map<String, String> environment = NodeProcess.on(database);
        environment.put(
                "ROWLOCK_OTEL_ENDPOINT",
                "http://127.0.0.1:" + collector.getAddress().getPort());
        try (NodeProcess node = NodeProcess.start(dir.resolve("a"), environment)) {
            node.awaitReady(SOON);
            run(node, "echo parent=$TRACEPARENT; exit 3");
            Until.holds(SOON, "three spans", () -> spans.size() >= 3);
            String task = node.get("/api/v1/tasks?job=j").body().replaceFirst("(?s).*?\"id\":\\s*(\\d+).*", "$1");
            String parent = Until.is(SOON, "output", () -> {
                String output = node.get("/api/v1/tasks/" + task + "/output").body();
                return output.contains("parent=") ? output.replaceFirst("(?s).*parent=([0-9a-f-]*).*", "$1") : null;
            });

            assertThat(spans).hasSize(3);
            SentSpan whole = named("default/j");
            SentSpan wait = named("wait");
            SentSpan run = named("run");
            assertThat(parent).matches("00-" + whole.trace() + "-" + run.id() + "-0[13]");
            assertThat(whole.parent()).isEmpty();
            assertThat(List.of(wait.parent(), run.parent())).containsOnly(whole.id());
            assertThat(List.of(wait.trace(), run.trace())).containsOnly(whole.trace());
            assertThat(wait.startNanos()).isEqualTo(whole.startNanos());
            assertThat(wait.endNanos()).isEqualTo(run.startNanos());
            assertThat(run.endNanos()).isEqualTo(whole.endNanos()).isGreaterThanOrEqualTo(run.startNanos());
            assertThat(whole.attributes())
                    .containsEntry("rowlock.job", "default/j")
                    .containsEntry("rowlock.task", task)
                    .containsEntry("rowlock.attempt", "1")
                    .containsEntry("rowlock.cause", "MANUAL")
                    .containsEntry("rowlock.outcome", "FAILED")
                    .containsKeys("rowlock.launch", "rowlock.fire_time");
            assertThat(run.attributes()).containsEntry("rowlock.exit_code", "3");
            assertThat(whole.status()).isEqualTo("2 exit code 3");
        } finally {
            collector.stop(0);
        }
    }

    @Test
    void an_endpoint_that_is_down_costs_one_warning() throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_OTEL_ENDPOINT", "http://127.0.0.1:" + FreePorts.one());
        try (NodeProcess node = NodeProcess.start(dir.resolve("a"), environment)) {
            node.awaitReady(SOON);
            run(node, "true");
            node.awaitLog("does not take traces", SOON);
            for (int i = 0; i < 3; i++) {
                assertThat(node.send("POST", "/api/v1/jobs/default/j/run", "{}").statusCode())
                        .isLessThan(300);
                int ended = i + 2;
                Until.holds(
                        SOON,
                        "the end of run " + ended,
                        () -> ended("select count(*) from task_history where outcome = 'SUCCEEDED'") >= ended);
            }
            node.terminate();
            node.awaitExit(SOON);

            assertThat(node.log().lines().filter(line -> line.contains("traces") || line.contains("opentelemetry")))
                    .hasSize(1);
        }
    }

    private long ended(String sql) throws Exception {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private SentSpan named(String name) {
        return spans.stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void run(NodeProcess node, String command) {
        assertThat(node.send(
                                "POST",
                                "/api/v1/jobs",
                                "{\"name\": \"j\", \"schedule\": \"@manual\", \"command\": \"" + command + "\"}")
                        .statusCode())
                .isEqualTo(201);
        assertThat(node.send("POST", "/api/v1/jobs/default/j/run", "{}").statusCode())
                .isLessThan(300);
    }
}
