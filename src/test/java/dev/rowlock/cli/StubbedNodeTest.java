package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.top.ReportCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands make of answers that a real node gives only when something is wrong, or that never end. */
@Timeout(60)
class StubbedNodeTest {

    private static final String PROBLEM = "application/problem+json";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answers(String path, int status, String json) {
        server.createContext(path, exchange -> {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", status < 400 ? "application/json" : PROBLEM);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    /** Until nobody reads it any more. */
    private void repeats(String path, String text) {
        server.createContext(path, exchange -> repeat(exchange, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void repeat(HttpExchange exchange, byte[] text) throws IOException {
        try (OutputStream body = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(200, 0);
            while (!Thread.currentThread().isInterrupted()) {
                body.write(text);
                body.flush();
            }
        }
    }

    private int run(OutputStream out, String line) {
        Surroundings around = new Surroundings(
                Map.of(
                        "HOME", "/nowhere",
                        "ROWLOCK_TOKEN", "any",
                        "ROWLOCK_URL", "http://127.0.0.1:" + server.getAddress().getPort()),
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Clock.systemUTC(),
                Set.of(),
                (millis, what) -> () -> {},
                words -> 1);
        return new Commands(
                        () -> {
                            throw new AssertionError("nothing else is needed");
                        },
                        "1.2.3",
                        around)
                .run(List.of(line.split(" ")));
    }

    @Test
    void a_job_that_waits_for_a_node_says_so_where_others_have_their_next_fire_time() {
        answers("/api/v1/jobs", 200, """
                {"items": [{"namespace": "etl", "name": "train", "schedule": "* * * * *", "nodes": "gpu=yes",
                 "nextFireTime": "2026-11-27T10:00:00Z", "state": "IDLE", "hold": {"kind": "NODE",
                 "reason": "no node that takes work matches gpu=yes; alive: a"}}], "nextCursor": null}
                """);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "job list")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("waits for a node that matches gpu=yes");
    }

    @Test
    void a_row_that_stands_for_many_fire_times_says_how_many() {
        answers("/api/v1/tasks", 200, """
                {"items": [{"id": 7, "namespace": "ops", "job": "tick", "fireTime": "2026-11-27T10:00:00Z", "state": "ENDED",
                 "outcome": "MISSED", "reason": "no node was there in time", "occurrences": 31},
                 {"id": 6, "namespace": "ops", "job": "tick", "fireTime": "2026-11-27T09:00:00Z", "state": "ENDED",
                 "outcome": "MISSED", "reason": "no node was there in time", "occurrences": 1}], "nextCursor": null}
                """);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "task list")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("(31 fire times) no node was there in time")
                .doesNotContain("(1 fire");
    }

    /** As a pipe is after {@code | head}. */
    private static OutputStream closed() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "task logs 7 -f", "task logs 7"})
    void what_never_ends_ends_when_nobody_reads_it_any_more(String line) {
        repeats("/api/v1/events", "id: 1\nevent: task.started\ndata: {\"id\": 1}\n\n");
        repeats("/api/v1/tasks/7/output", "more\n");
        answers("/api/v1/tasks/7", 200, "{\"id\": 7, \"state\": \"EXECUTING\"}");

        assertThat(run(closed(), line)).isZero();
    }

    @Test
    void a_broadcast_ends_as_its_first_part_that_did_not_succeed_by_the_names_of_the_nodes() {
        String part =
                "{'id': %d, 'namespace': 'default', 'job': 'a', 'fireTime': '2026-11-27T10:00:00.000Z', 'attempt': 1,"
                        + " 'state': 'ENDED', 'outcome': '%s', 'exitCode': %d, 'origin': '%s', 'outputBytes': 4}";
        String c = part.formatted(8, "FAILED", 5, "node:c#7");
        String a = part.formatted(9, "SUCCEEDED", 0, "node:a#7");
        String b = part.formatted(10, "FAILED", 3, "node:b#7");
        String other = part.formatted(11, "FAILED", 9, "node:a#6");
        answers("/api/v1/jobs/default/a/run", 202, "{\"id\": 7, \"namespace\": \"default\", \"job\": \"a\"}");
        answers(
                "/api/v1/tasks",
                200,
                json("{'items': [" + String.join(", ", c, a, b, other) + "], 'nextCursor': null}"));
        answers(
                "/api/v1/tasks/7",
                200,
                json(part.formatted(7, "EXPANDED", 0, "run:x").replace("'exitCode': 0", "'exitCode': null")));
        answers("/api/v1/tasks/7/output", 200, "");
        Map.of(8, c, 9, a, 10, b).forEach((id, task) -> {
            answers("/api/v1/tasks/" + id, 200, json(task));
            answers("/api/v1/tasks/" + id + "/output", 200, "of" + id % 10 + "\n");
        });
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "job run a --follow")).isEqualTo(3);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a: of9\nb: of0\nc: of8\n");
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    /** Its exit code would be that of the command, which goes on. */
    @Test
    void a_run_whose_output_nobody_reads_any_more_is_not_said_to_be_done() {
        repeats("/api/v1/tasks/7/output", "more\n");
        answers("/api/v1/tasks/7", 200, "{\"id\": 7, \"state\": \"EXECUTING\", \"outcome\": null}");
        answers("/api/v1/jobs/default/a/run", 202, "{\"id\": 7, \"namespace\": \"default\", \"job\": \"a\"}");

        assertThat(run(closed(), "job run a --follow")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).endsWith("goes on; nobody reads its output any more\n");
    }

    @Test
    void the_doctor_does_not_blame_the_token_for_a_database_that_is_away() {
        answers("/livez", 200, "{}");
        answers("/api/v1/session", 503, "{\"detail\": \"the database is not available\"}");
        answers(
                "/readyz",
                503,
                "{\"checks\": [{\"name\": \"node\", \"ok\": false, \"message\": \"the database does not answer\"}]}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "doctor")).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .doesNotContain("another")
                .containsPattern("BAD +token +it could not be checked: the database is not available")
                .containsPattern("BAD +node +the database does not answer");
    }

    @Test
    void the_doctor_says_how_the_node_is_to_who_has_no_valid_token() {
        answers("/livez", 200, "{}");
        answers("/api/v1/session", 401, "{\"detail\": \"the token is not valid\"}");
        answers("/readyz", 200, "{\"checks\": [{\"name\": \"node\", \"ok\": true, \"message\": \"joined\"}]}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "doctor")).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("BAD +token +the token is not valid +ask an administrator for another")
                .containsPattern("ok +node +joined");
    }

    @Test
    void the_doctor_shows_what_was_found_until_the_node_went_away_and_the_namespaces_of_a_token() {
        answers("/livez", 200, "{}");
        answers("/api/v1/session", 200, "{\"name\": \"v\", \"role\": \"viewer\", \"namespaces\": [\"a\", \"b\"]}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(run(out, "doctor")).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("permissions +viewer in a, b ")
                .containsPattern("BAD +node +.*try again");
    }

    @Test
    void the_overview_counts_as_people_do() {
        assertThat(ReportCommands.overviewLines(Trees.json("""
                {"database": {"state": "OK"}, "nodes": [{"node": "a", "state": "ALIVE"}, {"node": "b", "state": "GONE"}],
                 "failing": {"count": 1}, "late": {"count": 1, "more": true},
                 "waiting": {"GROUP": {"tasks": 1, "example": "g"}}}
                """)))
                .contains(
                        "nodes     a ALIVE, b GONE",
                        "failing   1 job",
                        "late      1 or more tasks",
                        "waiting   1 task for GROUP, such as: g");
    }
}
