package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a whole node answers at {@code /metrics}; the pages, rules and panels that name metrics; and the JSON log. */
@Tag("database")
@Tag("slow")
class MetricsOfNodesTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TOKEN = "token-of-the-metrics";
    private static final String BAD = "rowlock_tasks_ended_total{outcome=\"failed\"}";
    private static final String OF_JOB = "rowlock_job_tasks_started_total{job_name=\"good\",job_namespace=\"default\"}";

    /** Traces, people who sign in elsewhere, mail: what no setting asks for costs no memory. */
    private static final String[] NOT_CONFIGURED = {
        "io.opentelemetry", "com.nimbusds", "jakarta.mail", "org.eclipse.angus", "org.simplejavamail"
    };

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void everything_that_is_documented_is_there_and_nothing_else() throws Exception {
        Path classes = dir.resolve("classes.log");
        Map<String, String> environment = environment("a");
        environment.put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + classes);
        try (NodeProcess node = NodeProcess.start(dir.resolve("a"), environment)) {
            node.awaitReady(SOON);
            verified();
            job(node, "good", "true", "true");
            job(node, "bad", "false", "exit 3");
            assertThat(Files.readString(classes))
                    .contains("dev.rowlock.node.Counts")
                    .doesNotContain("io.micrometer", "io.prometheus")
                    .doesNotContain(NOT_CONFIGURED);
            Until.holds(SOON, "both ends", () -> value(node, BAD) >= 1 && value(node, OF_JOB) >= 1);
            Until.holds(SOON, "a success", () -> scrape(node).contains("\nrowlock_job_last_success"));

            Exposed exposed = Exposed.parse(scrape(node));
            assertThat(scrape(node)).contains("rowlock_tasks_ended_total{outcome=\"skipped\"}");
            assertThat(exposed.rowlock()).isEqualTo(Exposed.documented());
            assertThat(exposed.series())
                    .containsAll(Exposed.namedIn("grafana-dashboard.json", "prometheus-alerts.yml"));
            assertThat(exposed.rowlock().keySet())
                    .as("a metric without a name in the exposition")
                    .hasSizeGreaterThan(30);
            assertThat(response(node, "application/openmetrics-text; version=1.0.0")
                            .body())
                    .endsWith("# EOF\n");
            judged(scrape(node));

            assertThat(node.send("PATCH", "/api/v1/jobs/default/good", "{\"metrics\": false}")
                            .statusCode())
                    .isEqualTo(200);
            Until.holds(SOON, "no series of the job", () -> !scrape(node).contains("job_name=\"good\""));
            assertThat(Files.readString(classes)).contains("io.micrometer").doesNotContain(NOT_CONFIGURED);
        }
    }

    @Test
    void a_node_tells_of_others_that_died_and_of_a_database_that_is_away() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address())) {
            Map<String, String> environment = environment("a");
            environment.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
            environment.put("ROWLOCK_METRICS_ACCESS", "open");
            environment.put("ROWLOCK_LOG_FORMAT", "json");
            try (NodeProcess a = NodeProcess.start(dir.resolve("a"), environment);
                    NodeProcess b = NodeProcess.start(dir.resolve("b"), environment("b"))) {
                a.awaitReady(SOON);
                b.awaitReady(SOON);
                job(a, "long", "false", "sleep 600");
                assertThat(a.send("POST", "/api/v1/jobs/default/long/run", "{\"node\": \"b\"}")
                                .statusCode())
                        .isLessThan(300);
                Until.holds(SOON, "a command on b", () -> value(b, "rowlock_tasks_running") >= 1);
                b.kill();
                Until.holds(SOON, "an expiry", () -> value(a, "rowlock_sessions_expired_total") == 1);
                Until.holds(SOON, "a loss", () -> value(a, "rowlock_tasks_lost_total") >= 1);

                relay.blackhole(TcpRelay.Direction.TO_CLIENT);
                for (int i = 0; i < 5; i++) {
                    long since = System.nanoTime();
                    assertThat(response(a, "text/plain").statusCode()).isEqualTo(200);
                    assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(1));
                }
                Until.holds(
                        SOON,
                        "an old reading and errors",
                        () -> value(a, "rowlock_cluster_reading_age_seconds") > 6
                                && value(a, "rowlock_heartbeat_age_seconds") > 5
                                && value(a, "rowlock_database_errors_total{kind=\"unavailable\",step=\"sessions\"}")
                                        >= 1);
                assertThat(a.log().lines()).isNotEmpty().allMatch(line -> line.startsWith("{\"time\":\"20"));
            }
        }
    }

    /** By Prometheus' own tool, where it is: scripts/promtool brings it. */
    private void judged(String scraped) throws Exception {
        Path tool = Path.of("target", "promtool");
        assumeTrue(Files.isExecutable(tool), "scripts/promtool has not brought promtool");
        Path page = Files.writeString(dir.resolve("scrape.txt"), scraped);
        run(List.of(tool.toString(), "check", "metrics"), page);
        run(List.of(tool.toString(), "check", "rules", "config/prometheus-alerts.yml"), page);
        run(List.of(tool.toString(), "test", "rules", "config/prometheus-alerts-test.yml"), page);
    }

    private void run(List<String> line, Path input) throws Exception {
        Path said = dir.resolve("said.txt");
        Process process = new ProcessBuilder(line)
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as(line + ": " + Files.readString(said)).isZero();
    }

    private Map<String, String> environment(String name) {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_METRICS_TOKEN", TOKEN);
        environment.put("ROWLOCK_NODE_NAME", name);
        return environment;
    }

    /** As scripts/rowlock verify leaves it. */
    private void verified() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("insert into setting (name, value) values ('last-verification',"
                    + " '2026-11-22T03:00:00.000Z - - 2 0 10')");
        }
    }

    private static void job(NodeProcess node, String name, String metrics, String command) {
        assertThat(node.send(
                                "POST",
                                "/api/v1/jobs",
                                "{\"name\": \"" + name + "\", \"schedule\": \""
                                        + (name.equals("long") ? "@manual" : "@every 1s") + "\", \"command\": \""
                                        + command + "\", \"metrics\": " + metrics + "}")
                        .statusCode())
                .isEqualTo(201);
    }

    private double value(NodeProcess node, String series) {
        return scrape(node)
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private String scrape(NodeProcess node) {
        return response(node, "text/plain").body();
    }

    private HttpResponse<String> response(NodeProcess node, String accept) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(node.url() + "/metrics"))
                            .timeout(Duration.ofSeconds(20))
                            .header("Accept", accept)
                            .header("Authorization", "Bearer " + TOKEN)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
