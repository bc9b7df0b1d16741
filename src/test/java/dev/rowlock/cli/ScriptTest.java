package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real {@code scripts/rowlock}, as a process, against a real node. */
@Order(1)
@Tag("database")
class ScriptTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    static Path home;

    @BeforeAll
    static void install() throws IOException {
        ScriptHome.install(home);
        assertThat(cli.run("job", "add", "ops/a", "--schedule", "@manual", "--command", "echo hello; exit 7")
                        .exitCode())
                .isZero();
    }

    private static Said run(Map<String, String> environment, String... words) throws Exception {
        Path err = Files.createTempFile(home, "err", "");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of(home.resolve("scripts/rowlock").toString()), Arrays.stream(words))
                                .toList())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
        builder.environment().put("ROWLOCK_URL", cli.node().url());
        builder.environment().put("ROWLOCK_TOKEN", cli.node().token());
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), out, Files.readString(err));
    }

    @Test
    void data_goes_to_standard_output_and_messages_to_standard_error() throws Exception {
        assertThat(run(Map.of(), "job", "list", "-o", "name")).isEqualTo(new Said(0, "ops/a\n", ""));
        Said table = run(Map.of(), "job", "list");
        assertThat(table.out()).startsWith("NAMESPACE ").doesNotContain("\u001b");
        assertThat(run(Map.of(), "job", "lst").exitCode()).isEqualTo(2);
        assertThat(run(Map.of("ROWLOCK_TOKEN", "wrong"), "job", "list").exitCode())
                .isEqualTo(4);
        assertThat(run(Map.of("ROWLOCK_URL", "http://127.0.0.1:1"), "job", "list")
                        .err())
                .startsWith("rowlock job list: no node answers at http://127.0.0.1:1 (ROWLOCK_URL)");
    }

    @Test
    void a_followed_run_ends_as_its_command_did() throws Exception {
        Said said = run(Map.of(), "job", "run", "ops/a", "--follow");

        assertThat(said.out()).isEqualTo("hello\n");
        assertThat(said.exitCode()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {">/dev/full", "| true"})
    void an_export_that_is_not_complete_has_failed(String where) throws Exception {
        Said said = ScriptHome.shell(home, node(), "set -o pipefail; scripts/rowlock export " + where);

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err()).contains("the export is not complete");
    }

    @Test
    void an_editor_has_the_locale_of_its_host() throws Exception {
        Path editor = Files.writeString(home.resolve("editor"), "#!/bin/sh\necho \"<$LC_ALL>\" >\"$0.said\"\n");
        assertThat(editor.toFile().setExecutable(true)).isTrue();
        Map<String, String> hosts = new HashMap<>(node());
        hosts.put("EDITOR", editor.toString());
        ScriptHome.shell(home, hosts, "exec scripts/rowlock job edit ops/a");
        assertThat(home.resolve("editor.said")).hasContent("<>");
        hosts.put("LC_ALL", "C");
        ScriptHome.shell(home, hosts, "exec scripts/rowlock job edit ops/a");
        assertThat(home.resolve("editor.said")).hasContent("<C>");
    }

    private static Map<String, String> node() {
        return Map.of(
                "ROWLOCK_URL", cli.node().url(), "ROWLOCK_TOKEN", cli.node().token());
    }

    @Test
    void top_needs_a_terminal() throws Exception {
        Said said = run(Map.of(), "top");

        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("top needs a terminal");
    }

    @Test
    void no_class_of_the_server_is_loaded() throws Exception {
        Path loaded = home.resolve("loaded.txt");
        for (String line : List.of("job list", "job get ops/a", "task list -o json", "doctor", "version", "--help")) {
            run(Map.of("ROWLOCK_JAVA_OPTS", "-Xlog:class+load:file=" + loaded), line.split(" ", -1));
            List<String> classes = Files.readAllLines(loaded);
            assertThat(classes).as(line).hasSizeGreaterThan(400);
            assertThat(classes.stream()
                            .filter(name ->
                                    name.matches(".*(io\\.javalin|org\\.eclipse\\.jetty|com\\.zaxxer|org\\.flywaydb"
                                            + "|org\\.jdbi|com\\.mysql|ch\\.qos|org\\.slf4j|ObjectMapper|java\\.net\\.http\\."
                                            + "|dev\\.rowlock\\.(api|control|engine|store|db|config|access)\\.).*")))
                    .as(line)
                    .isEmpty();
        }
    }
}
