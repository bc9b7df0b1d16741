package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.rowlock.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be said of the image and the compose file without a container engine. */
class DeploymentTest {

    private static final int NODES = 3;

    @Test
    void the_compose_file_has_one_database_with_a_health_check_and_three_nodes_that_wait_for_it() throws IOException {
        JsonNode compose = compose();

        assertThat(compose.at("/services/mysql/image").asText()).isEqualTo("mysql:9");
        assertThat(compose.at("/services/mysql/healthcheck/test").isArray()).isTrue();
        for (int node = 1; node <= NODES; node++) {
            assertThat(compose.has("services")).isTrue();
            assertThat(compose.at("/services/node-" + node + "/environment/ROWLOCK_NODE_NAME")
                            .asText())
                    .isEqualTo("node-" + node);
        }
        assertThat(compose.at("/x-node/depends_on/mysql/condition").asText()).isEqualTo("service_healthy");
    }

    @Test
    void everything_that_the_image_copies_is_given_to_its_build() throws IOException {
        List<String> given = Files.readAllLines(Path.of(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        List<String> copied = Files.readAllLines(Path.of("Dockerfile")).stream()
                .filter(line -> line.startsWith("COPY ") && !line.contains("--from"))
                .map(line -> line.substring("COPY ".length()).split(" "))
                .flatMap(words -> Arrays.stream(words).limit(words.length - 1L))
                .toList();

        assertThat(copied).contains("src", "scripts/java-options").allMatch(path -> Files.exists(Path.of(path)));
        assertThat(copied)
                .allMatch(path -> given.stream().anyMatch(dir -> path.equals(dir) || path.startsWith(dir + "/")));
    }

    /** Kubernetes has no {@code --init}. */
    @Test
    void the_first_process_of_a_container_adopts_what_commands_leave_behind() throws IOException {
        assertThat(Files.readString(Path.of("Dockerfile")))
                .containsPattern("apt-get install [^&]* tini ")
                .contains("ENTRYPOINT [\"/usr/bin/tini\", \"-s\", \"--\", \"/opt/rowlock/scripts/rowlock\"]");
    }

    @Test
    void no_password_and_no_token_has_a_default() throws IOException {
        String text = Files.readString(Path.of("docker-compose.yml"));

        assertThat(text).contains("${ROWLOCK_DATABASE_PASSWORD:?", "${ROWLOCK_ADMIN_TOKEN:?");
        assertThat(text).doesNotContain(":-").doesNotContainPattern("(?i)(PASSWORD|TOKEN): *[A-Za-z0-9]");
    }

    /** Java's usual way to start processes needs a helper of exactly its own version. */
    @Test
    void an_update_of_java_under_a_running_node_breaks_no_start() throws IOException {
        assumeThat(Runtime.version().feature()).isLessThan(25);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process options = new ProcessBuilder("scripts/java-options", java).start();

        assertThat(options.inputReader().lines()).contains("-Djdk.lang.Process.launchMechanism=VFORK");
    }

    /** As the shell of the image runs it; curl only says what it is asked for. */
    @Test
    void the_health_check_asks_where_the_node_that_started_last_listens(@TempDir Path dir) throws Exception {
        Matcher check =
                Pattern.compile("HEALTHCHECK .*\\\\\n +CMD (.*)").matcher(Files.readString(Path.of("Dockerfile")));
        assertThat(check.find()).isTrue();
        Path node = Files.createDirectories(dir.resolve("nodes/gone"));
        Files.setLastModifiedTime(
                Files.writeString(node.resolve("address"), "http://127.0.0.1:7575\n7\n"), FileTime.fromMillis(1000));
        Files.writeString(
                Files.createDirectories(dir.resolve("nodes/here")).resolve("address"), "https://127.0.0.1:1\n8\n");
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", "curl() { echo \"$@\"; }; " + check.group(1));
        shell.environment().put("ROWLOCK_DATA_DIR", dir.toString());

        assertThat(shell.start().inputReader().lines())
                .containsExactly("--noproxy * -kfsS -o /dev/null https://127.0.0.1:1/livez");
    }

    @Test
    void nothing_is_published_beyond_loopback() throws IOException {
        JsonNode compose = compose();

        for (int node = 1; node <= NODES; node++) {
            assertThat(compose.at("/services/node-" + node + "/ports"))
                    .isNotEmpty()
                    .allSatisfy(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
        }
        assertThat(compose.at("/services/mysql").has("ports")).isFalse();
    }

    @Test
    void the_settings_of_the_compose_file_are_accepted() throws IOException {
        Map<String, String> environment = new HashMap<>();
        compose()
                .at("/x-environment")
                .properties()
                .forEach(entry -> environment.put(
                        entry.getKey(), entry.getValue().asText().replaceAll("\\$\\{[^}]*}", "12345678")));
        environment.put("ROWLOCK_NODE_NAME", "node-1");

        Config config = Config.load(Path.of("config", "rowlock.yaml"), environment, false);

        assertThat(config.http().allowedHosts()).contains("localhost", "node-1", "node-2", "node-3");
        assertThat(new TreeSet<>(environment.keySet())).contains("ROWLOCK_DATABASE_URL");
    }

    @Test
    void the_nodes_get_longer_to_stop_than_they_take() throws IOException {
        String grace = compose().at("/x-node/stop_grace_period").asText();
        Config standard = Config.load(Path.of("config", "rowlock.yaml"), Map.of(), true);

        assertThat(Integer.parseInt(grace.replace("s", "")))
                .isGreaterThan((int) standard.shutdownGrace().toSeconds());
    }

    @Test
    void the_image_is_built_in_stages_runs_as_nobody_special_and_tells_its_health() throws IOException {
        String dockerfile = Files.readString(Path.of("Dockerfile"));

        assertThat(dockerfile.lines().filter(line -> line.startsWith("FROM "))).hasSize(2);
        assertThat(dockerfile).containsPattern("(?m)^USER 10001:10001$");
        assertThat(dockerfile).containsPattern("(?m)^HEALTHCHECK ").contains("/livez");
        assertThat(dockerfile).contains(" bash ", "util-linux", "curl");
        assertThat(dockerfile.indexOf("\nUSER ")).isLessThan(dockerfile.indexOf("\nENTRYPOINT "));
    }

    private static JsonNode compose() throws IOException {
        return new YAMLMapper().readTree(Path.of("docker-compose.yml").toFile());
    }
}
