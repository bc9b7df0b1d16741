package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Secrets from the request that stores them to the output of the command that uses them. */
@Tag("database")
@Tag("slow")
class SecretNodesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VALUE = "Tr0ub4dor&3/äöü+more";
    private static final String BASE64 = Base64.getEncoder().encodeToString(VALUE.getBytes(StandardCharsets.UTF_8));
    private static final Map<String, String> KEY = Map.of("ROWLOCK_SECRETS_KEY", KeyRing.newKey());

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void a_secret_reaches_its_command_and_nothing_else() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start("a", KEY).awaitReady(SOON);
            assertThat(secret(a, "password", VALUE)).isEqualTo(201);
            job(
                    a,
                    "tell",
                    "echo begun; echo \"raw $PW\"; printf %s \"$PW\" | base64; echo \"$#\" >&2;"
                            + " [[ ${#PW} == 20 ]] && echo right; until [[ -e " + dir.resolve("go")
                            + " ]]; do sleep 0.2; done;"
                            + " echo \"again $PW\"; exit 3");
            long task = cluster.run("default", "tell");
            Until.holds(SOON, "its output", () -> output(a, task).contains("right"));

            assertThat(output(a, task)).isEqualTo("begun\nraw ***\n***\n0\nright\n");
            assertThat(processesWith("cmdline")).isZero();
            assertThat(processesWith("environ")).isPositive();
            Files.createFile(dir.resolve("go"));
            Until.holds(SOON, "its end", () -> rows.count("task_output where total_bytes >= 36") == 1);

            assertThat(a.get("/api/v1/tasks/" + task + "/output?follow=true").body())
                    .isEqualTo("begun\nraw ***\n***\n0\nright\nagain ***\n");
            assertThat(answers(a, task)).doesNotContain("Tr0ub4dor").doesNotContain(BASE64);
            assertThat(a.log())
                    .doesNotContain("Tr0ub4dor")
                    .doesNotContain(BASE64)
                    .contains("exit code 3");
            assertThat(tablesWithTheSecret()).isEmpty();
            Until.holds(
                    SOON,
                    "the raw output to be gone",
                    () -> filesWithTheSecret().isEmpty());
            assertThat(rows.count("secret where octet_length(sealed) > 28")).isEqualTo(1);
        }
    }

    @Test
    void the_output_of_a_killed_daemon_is_withheld() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess a = cluster.start("a", KEY).awaitReady(SOON);
            secret(a, "password", VALUE);
            job(a, "tell", "echo \"raw $PW\"; exec sleep 600");
            long task = cluster.run("default", "tell");
            Until.holds(SOON, "its output", () -> output(a, task).contains("***"));
            assertThat(filesWithTheSecret())
                    .hasSize(1)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));

            a.kill();
            cluster.start("a", KEY).awaitReady(SOON);

            // The first node may have stored, without the secret, what was there when the test asked for it.
            Until.holds(
                    SOON,
                    "word of the output",
                    () -> rows.count("task_output where task_id = " + task
                                    + " and convert(head using utf8mb4) like '%not shown%'")
                            == 1);
            Until.holds(
                    SOON,
                    "the raw output to be gone",
                    () -> filesWithTheSecret().isEmpty());
            assertThat(tablesWithTheSecret()).isEmpty();
        }
    }

    @Test
    void a_node_without_a_key_says_what_to_configure_and_leaves_jobs_to_one_with_it() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess without = cluster.start("without").awaitReady(SOON);
            HttpResponse<String> refused =
                    without.send("PUT", "/api/v1/secrets/default/password", "{\"value\": \"12345678\"}");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("secrets.key-file");
            assertThat(without.send("POST", "/api/v1/secrets/rotate", "").statusCode())
                    .isEqualTo(503);
            without.awaitHealth("this node has no key", SOON);

            NodeProcess with = cluster.start("with", KEY).awaitReady(SOON);
            secret(with, "password", VALUE);
            job(with, "tell", "echo $ROWLOCK_NODE; [[ ${#PW} == 20 ]]");
            for (int i = 1; i <= 5; i++) {
                cluster.run("default", "tell");
                int runs = i;
                Until.holds(SOON, "its end", () -> rows.count("task_history") == runs);
            }
            assertThat(rows.all("select distinct node, outcome from task_history"))
                    .hasSize(1);
            assertThat(rows.one("select concat(node, ' ', outcome) from task_history limit 1"))
                    .isEqualTo("with SUCCEEDED");

            with.terminate();
            with.awaitExit(SOON);
            Until.holds(SOON, "one node", () -> rows.count("session") == 1);
            cluster.run("default", "tell");
            Until.holds(SOON, "a failure", () -> rows.count("task_history where outcome = 'FAILED'") == 1);
            assertThat(String.valueOf(rows.one("select reason from task_history where outcome = 'FAILED'")))
                    .contains("could not be started", "secrets.key-file");
        }
    }

    private static int secret(NodeProcess node, String name, String value) {
        return node.send(
                        "PUT",
                        "/api/v1/secrets/default/" + name,
                        JSON.createObjectNode().put("value", value).toString())
                .statusCode();
    }

    private static void job(NodeProcess node, String name, String command) {
        String job = JSON.createObjectNode()
                .put("schedule", "@manual")
                .put("command", command)
                .put("onLost", "FAIL")
                .set("secretEnv", JSON.createObjectNode().put("PW", "password"))
                .toString();
        HttpResponse<String> answer = node.send("PUT", "/api/v1/jobs/default/" + name, job);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static String output(NodeProcess node, long task) {
        return node.get("/api/v1/tasks/" + task + "/output").body();
    }

    private static String answers(NodeProcess node, long task) {
        StringBuilder all = new StringBuilder();
        for (String path : List.of(
                "/jobs",
                "/jobs/default/tell",
                "/jobs/default/tell/versions",
                "/jobs/default/tell/versions/1",
                "/tasks/" + task,
                "/tasks/" + task + "/output",
                "/tasks/" + task + "/explain",
                "/secrets",
                "/secrets/default/password",
                "/audit",
                "/cluster",
                "/overview")) {
            HttpResponse<String> answer = node.get("/api/v1" + path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            all.append(answer.body());
        }
        return all.toString();
    }

    /** Every column of every table that can hold it, also as part of something else. */
    private List<String> tablesWithTheSecret() {
        List<String> found = new ArrayList<>();
        for (Map<String, String> column : rows.all("select table_name as tab, column_name as col"
                + " from information_schema.columns where table_schema = database() and data_type in ('char', 'varchar',"
                + " 'tinytext', 'text', 'mediumtext', 'longtext', 'json', 'binary', 'varbinary', 'tinyblob', 'blob',"
                + " 'mediumblob', 'longblob')")) {
            String bytes = "cast(`" + column.get("col") + "` as binary)";
            if (rows.count("`" + column.get("tab") + "` where locate(cast('Tr0ub4dor' as binary), " + bytes
                            + ") > 0 or locate(cast('" + BASE64.substring(0, 16) + "' as binary), " + bytes + ") > 0")
                    > 0) {
                found.add(column.get("tab") + "." + column.get("col"));
            }
        }
        return found;
    }

    private static long processesWith(String file) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> holds(process.resolve(file)))
                    .count();
        }
    }

    private List<Path> filesWithTheSecret() throws IOException {
        try (Stream<Path> all = Files.walk(dir)) {
            return all.filter(Files::isRegularFile)
                    .filter(SecretNodesTest::holds)
                    .toList();
        }
    }

    private static boolean holds(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.contains("Tr0ub4dor") || text.contains(BASE64);
        } catch (IOException e) {
            return false; // ended, or removed meanwhile
        }
    }
}
