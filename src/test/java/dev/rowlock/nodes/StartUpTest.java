package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a node does before it is ready, and what it says when it cannot be. */
@Tag("database")
@Tag("slow")
class StartUpTest {

    private static final int CONFIGURATION = 78;

    @RegisterExtension
    final TestDatabase database = TestDatabase.withoutTables();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void each_wrong_setting_gets_one_sentence_and_nothing_starts() throws Exception {
        List<String> said = refused(Map.of(
                "ROWLOCK_SESSION_HEARTBEAT", "fast",
                "ROWLOCK_HTTP_PORT", "99999",
                "ROWLOCK_NODE_CAPACITY", "0",
                "ROWLOCK_DATABASE_URL", "mysql://db"));

        assertThat(said)
                .hasSize(4)
                .allMatch(line -> line.startsWith("rowlock: ") && line.endsWith("."))
                .anyMatch(line -> line.contains("session.heartbeat") && line.contains("fast"))
                .anyMatch(line -> line.contains("http.port") && line.contains("99999"))
                .anyMatch(line -> line.contains("node.capacity") && line.contains("'0'"))
                .anyMatch(line -> line.contains("database.url"));
    }

    @Test
    void it_does_not_listen_beyond_loopback_unless_told_to() throws Exception {
        assertThat(refused(Map.of("ROWLOCK_HTTP_HOST", "0.0.0.0")))
                .hasSize(1)
                .allMatch(line -> line.contains("http.host") && line.contains("http.allow-plaintext"));
    }

    @Test
    void a_certificate_that_cannot_be_used_is_named_before_anything_starts() throws Exception {
        assertThat(refused(Map.of(
                        "ROWLOCK_HTTP_TLS_CERTIFICATE", "tls/fullchain.pem",
                        "ROWLOCK_HTTP_TLS_KEY", "tls/privkey.pem")))
                .singleElement()
                .asString()
                .startsWith("rowlock: http.tls.certificate: there is no file ")
                .endsWith("tls/fullchain.pem");
    }

    @Test
    void a_path_that_java_cannot_write_without_a_locale_is_refused_with_the_remedy() throws Exception {
        Path config = Files.createDirectories(dir.resolve("a/config"));
        Files.writeString(config.resolve("rowlock.yaml"), "secrets: {files: [/etc/ä], key-file: ö}\n");

        assertThat(refused(Map.of("LC_ALL", "C")))
                .hasSize(2)
                .allMatch(line -> line.contains("in letters that the locale of this process has"))
                .anyMatch(line -> line.startsWith("rowlock: secrets.key-file: found 'ö'"))
                .anyMatch(line -> line.startsWith("rowlock: secrets.files: found [\"/etc/ä\"]"));
    }

    @Test
    void a_way_to_spawn_that_does_not_work_on_this_host_is_refused_and_auto_takes_the_other() throws Exception {
        Map<String, String> noLibraries = Map.of("JAVA_TOOL_OPTIONS", "-Djna.tmpdir=/proc/nowhere");
        Map<String, String> asked = new TreeMap<>(noLibraries);
        asked.put("ROWLOCK_EXEC_SPAWN", "POSIX_SPAWN");

        assertThat(refused(asked))
                .last()
                .asString()
                .contains(
                        "rowlock: exec.spawn (ROWLOCK_EXEC_SPAWN): POSIX_SPAWN does not work on this host",
                        "/proc/nowhere",
                        "AUTO or PROCESS_BUILDER");
        try (NodeProcess node = node("b", noLibraries)) {
            node.awaitReady(SOON);
            node.awaitLog("Commands are started with ProcessBuilder", SOON);
        }
    }

    @Test
    void a_database_that_is_not_there_yet_is_waited_for() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address())) {
            relay.goAway();
            try (NodeProcess node = node("a", Map.of("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port())))) {
                Until.holds(SOON, "an answer", () -> node.status("/livez") == 200);
                node.awaitLog("The database is not available", SOON);
                String ready = node.awaitHealth("the database is not available", SOON);
                assertThat(ready)
                        .contains("\"servers\",\"ok\":true,\"message\":\"not known yet: this node has not joined\"");
                assertThat(node.status("/readyz")).isEqualTo(503);
                relay.passThrough();
                node.awaitReady(SOON);
                node.awaitHealth("one takes writes", SOON);
                node.awaitLog("The database is available again", SOON);
                assertThat(Cluster.outages(node.log())).as(node.log()).matches("(away back ){1,3}");
                assertThat(node.log()).doesNotContain(" ERROR ");
            }
        }
    }

    @Test
    void four_nodes_that_start_at_once_on_an_empty_database_do_not_trip_over_each_other() throws Exception {
        try (NodeProcess a = node("a", Map.of());
                NodeProcess b = node("b", Map.of());
                NodeProcess c = node("c", Map.of());
                NodeProcess d = node("d", Map.of())) {
            for (NodeProcess node : List.of(a, b, c, d)) {
                node.awaitReady(SOON);
                assertThat(node.log()).doesNotContain(" ERROR ").doesNotContain("not available");
            }
            assertThat(rows.count("session")).isEqualTo(4);
        }
    }

    @Test
    void a_second_node_of_one_name_is_refused_and_does_not_disturb_the_first() throws Exception {
        try (NodeProcess first =
                node("same", Map.of("ROWLOCK_DATA_DIR", data("first"))).awaitReady(SOON)) {
            String session = rows.one("select id from session");

            refusedForItsName("second");
            rows.run("update session set boot_id = 'elsewhere'");
            refusedForItsName("third");

            first.awaitReady(SOON);
            assertThat(rows.one("select id from session")).isEqualTo(session);
        }
    }

    @Test
    void a_second_node_in_one_directory_is_refused() throws Exception {
        try (NodeProcess first = node("same", Map.of())) {
            first.awaitReady(SOON);
            try (NodeProcess second = NodeProcess.start(
                    dir.resolve("other"), environment("same", Map.of("ROWLOCK_DATA_DIR", data("same"))))) {
                assertThat(second.awaitExit(SOON)).isPositive();
                assertThat(second.log().lines()).hasSize(1).first().asString().contains("node.name", "data.dir");
            }
            first.awaitReady(SOON);
        }
    }

    private void refusedForItsName(String directory) throws Exception {
        try (NodeProcess second = NodeProcess.start(dir.resolve(directory), environment("same", Map.of()))) {
            assertThat(second.awaitExit(SOON)).isEqualTo(CONFIGURATION);
            assertThat(second.log())
                    .contains("rowlock: node.name: a node named \"same\" is alive already")
                    .doesNotContain("\tat ");
        }
    }

    private List<String> refused(Map<String, String> settings) throws Exception {
        try (NodeProcess node = node("a", settings)) {
            assertThat(node.awaitExit(SOON)).isEqualTo(CONFIGURATION);
            return node.log().lines().toList();
        }
    }

    private NodeProcess node(String name, Map<String, String> settings) throws IOException {
        return NodeProcess.start(dir.resolve(name), environment(name, settings));
    }

    private Map<String, String> environment(String name, Map<String, String> settings) {
        Map<String, String> environment = new TreeMap<>(NodeProcess.on(database));
        environment.put("ROWLOCK_NODE_NAME", name);
        environment.put("ROWLOCK_SESSION_HEARTBEAT", "500ms");
        environment.putAll(settings);
        return environment;
    }

    private String data(String name) {
        return dir.resolve(name).resolve("data").toAbsolutePath().toString();
    }
}
