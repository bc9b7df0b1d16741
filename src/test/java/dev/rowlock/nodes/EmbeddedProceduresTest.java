package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static dev.rowlock.nodes.OperatorShell.blocks;
import static dev.rowlock.nodes.OperatorShell.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.nodes.OperatorShell.Said;
import dev.rowlock.support.NodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Backup and restore of the embedded database, and of its secrets' key, as the docs have them, line by line. */
@Tag("slow")
class EmbeddedProceduresTest {

    private static final String OPERATIONS = "operations.md";
    private static final String EACH_SECOND = "{\"schedule\": \"* * * * * *\", \"command\": \"echo ran\"}";

    private static final Pattern KEY = Pattern.compile("encrypted under key [0-9a-f]+");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private OperatorShell shell;
    private NodeProcess node;

    @BeforeEach
    void install() throws IOException {
        shell = new OperatorShell(dir);
        shell.variable("ROWLOCK_HOME", dir.toString());
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
        shell.run("rowlock database stop || [ $? = 69 ]");
    }

    private void start(Map<String, String> more) throws Exception {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("ROWLOCK_NODE_NAME", "one");
        node = NodeProcess.start(dir, environment, "--embedded").awaitReady(SOON);
        shell.variable("ROWLOCK", node.url());
        shell.variable("ROWLOCK_URL", node.url());
        shell.variable("ROWLOCK_TOKEN", node.token());
    }

    private void end() throws Exception {
        node.terminate();
        assertThat(node.awaitExit(SOON)).isZero();
    }

    private void job(String name, String definition) {
        assertThat(node.send("PUT", "/api/v1/jobs/ops/" + name, definition).statusCode())
                .isEqualTo(201);
    }

    private void awaitRunOf(String name) throws Exception {
        Until.holds(
                SOON,
                "a run of " + name,
                () -> node.get("/api/v1/tasks?outcome=SUCCEEDED&job=ops/" + name)
                        .body()
                        .contains("\"SUCCEEDED\""));
    }

    @Test
    void a_dump_of_a_database_that_works_is_loaded_in_its_place() throws Exception {
        start(Map.of());
        job("often", EACH_SECOND);
        awaitRunOf("often");

        shell.run(lines(blocks(OPERATIONS, "## Backup").get(0), "rowlock database dump"));
        assertThat(shell.run("rowlock database status"))
                .containsPattern("server +runs, process \\d+, port \\d+, MariaDB ")
                .containsPattern("used by +process " + node.pid());
        end();
        String load = lines(blocks(OPERATIONS, "## Restore").get(0), "rowlock database load");
        Said refused = shell.tried(load);
        assertThat(refused.exitCode()).isEqualTo(69);
        assertThat(refused.text()).contains("is not empty");

        Files.move(dir.resolve("data/mariadb"), dir.resolve("before"));
        shell.run(load);
        start(Map.of());

        awaitRunOf("often");
        assertThat(node.log()).contains("recreated the views");
        assertThat(node.get("/api/v1/jobs/ops/often").body()).contains("echo ran");
    }

    @Test
    void a_copy_is_taken_only_of_a_database_that_nobody_uses() throws Exception {
        start(Map.of());
        job("often", EACH_SECOND);
        awaitRunOf("often");
        Files.writeString(dir.resolve("data/admin.token"), "it is in the settings here");
        String copy = lines(blocks(OPERATIONS, "## Backup").get(1), "rowlock database stop");

        Said refused = shell.tried(copy);
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.text()).contains("is used by process " + node.pid() + ": stop the node");
        assertThat(dir.resolve("rowlock.tar")).doesNotExist();

        node.kill(); // the server goes on
        assertThat(shell.run("rowlock database status")).containsPattern("server +runs, process");
        assertThat(shell.run(copy)).contains(", is stopped");
        shell.run("mv data data.before; mkdir data; tar xf rowlock.tar -C data");
        start(Map.of());

        awaitRunOf("often");
    }

    @Test
    void the_key_of_secrets_is_rotated_while_jobs_use_them() throws Exception {
        shell.run("umask 077; openssl rand -base64 32 > secrets.key");
        Map<String, String> settings =
                Map.of("ROWLOCK_SECRETS_KEY_FILE", dir.resolve("secrets.key").toString());
        String rotation = blocks("secrets.md", "## Rotating the key").get(0).replace("/etc/rowlock", dir.toString());
        String there = lines(rotation, "cd ") + "\n";
        start(settings);
        shell.run(api() + "\napi PUT /secrets/ops/password -d '{\"value\": \"correct horse\"}'");
        String command = "{\"schedule\": \"@manual\", \"secretEnv\": {\"PW\": \"password\"},"
                + " \"command\": \"[ \\\"$PW\\\" = 'correct horse' ]\"}";
        String first = encryptsUnder();

        shell.run(there + lines(rotation, "{ openssl"));
        end();
        start(settings);
        String second = encryptsUnder();
        assertThat(second).isNotEqualTo(first);
        job("before", command);
        run("before");
        assertThat(shell.run(api() + "\n" + lines(rotation, "api POST")))
                .containsPattern("\"rotated\": *1")
                .containsPattern("\"left\": *\\[ *]");
        shell.run(there + lines(rotation, "head -n 1"));
        end();
        start(settings);

        assertThat(encryptsUnder()).isEqualTo(second);
        assertThat(Files.readAllLines(dir.resolve("secrets.key"))).hasSize(1);
        job("after", command);
        run("after");
    }

    /** The function that the pages of the docs use. */
    private static String api() throws IOException {
        String page = Files.readString(Path.of("docs", "daily-work.md"));
        int from = page.indexOf("api() {");
        return page.substring(from, page.indexOf("\"; }", from) + "\"; }".length());
    }

    private String encryptsUnder() {
        Matcher key = KEY.matcher(node.get("/readyz").body());
        assertThat(key.find()).isTrue();
        return key.group();
    }

    private void run(String name) throws Exception {
        shell.run("rowlock job run ops/" + name + " --follow");
        awaitRunOf(name);
    }
}
