package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.support.FreePorts;
import dev.rowlock.support.NodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Quickstart, a node, its database, commands and the class archive in a checkout whose path has blanks and letters
 * beyond ASCII, with settings in its file alone, on hosts that lack something.
 */
@Tag("slow")
class OddPlacesTest {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** Leads to the checkout by letters that any Java can write. */
    private Path home = Path.of("");

    private int port;

    /** What is odd about a host. */
    private enum Host {
        WITHOUT_LOCALE("env LC_ALL=C "),
        BEHIND_A_PROXY("env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 "),
        WITHOUT_PASSWD_ENTRY("setpriv --reuid 12345 --regid 12345 --clear-groups env -u HOME ");

        private final String with;

        Host(String with) {
            this.with = with;
        }
    }

    @BeforeEach
    void checkout() throws Exception {
        Optional<Path> jar = NodeProcess.jar();
        assumeTrue(jar.isPresent(), "SKIPPED: there is no jar of what is tested; scripts/test makes one");
        port = FreePorts.one();
        Said made = shell(
                Map.of("JAR", jar.get().toAbsolutePath().toString(), "AT", dir.toString(), "PORT", "" + port), """
                set -e
                home=$AT/gr$'\\303\\266 \\303\\237'e
                mkdir -p "$home"/{scripts,config,target}
                cp scripts/{rowlock,java-options,class-archive,quickstart,build} "$home/scripts"
                cp config/logback.xml "$home/config"
                printf 'data:\\n  dir: "d\\303\\244 ta"\\nhttp:\\n  port: %s\\n' "$PORT" >"$home/config/rowlock.yaml"
                cp "$JAR" "$home/target/rowlock.jar"
                cp -rl "$(dirname "$JAR")/lib" "$home/target/lib" 2>/dev/null || cp -r "$(dirname "$JAR")/lib" "$home/target/lib"
                ln -s "$home" "$AT/home"
                chmod 0777 "$AT" "$home"
                """);
        assertThat(made).isEqualTo(new Said(0, ""));
        home = dir.resolve("home");
    }

    @ParameterizedTest
    @EnumSource
    void everything_works_there(Host host) throws Exception {
        assumeTrue(shell(Map.of(), host.with + "true").exitCode() == 0, "SKIPPED: only root becomes another user");
        if (host != Host.WITHOUT_PASSWD_ENTRY) {
            assertThat(on(host, "scripts/class-archive")).isEqualTo(new Said(0, ""));
            assertThat(home.resolve("target/rowlock.jsa")).isNotEmptyFile();
            assertThat(home.resolve("target/rowlock-cli.jsa")).isNotEmptyFile();
        }
        Path said = dir.resolve("said");
        Process quickstart = start("exec " + host.with + "scripts/quickstart >\"$SAID\" 2>&1", said);
        try {
            Until.holds(SOON, "quickstart to say that it is ready", () -> {
                assertThat(quickstart.isAlive()).as(() -> read(said)).isTrue();
                return read(said).contains("Rowlock is ready after");
            });
            assertThat(read(said)).contains("It listens on http://127.0.0.1:" + port, "dä ta/admin.token");

            assertThat(on(host, "scripts/rowlock job add hello --schedule @manual --command 'echo grüße'")
                            .exitCode())
                    .isZero();
            assertThat(on(host, "scripts/rowlock job run hello --follow").text())
                    .contains("grüße");
            assertThat(on(host, "scripts/rowlock doctor").exitCode()).isZero();
            assertThat(on(host, "scripts/rowlock sql 'select name from job'").text())
                    .contains("hello");
            assertThat(on(host, "scripts/rowlock verify").exitCode()).isZero();
            assertThat(on(host, "scripts/quickstart").text()).contains("a node answers at http://127.0.0.1:" + port);
        } finally {
            quickstart.destroy();
            assertThat(quickstart.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(quickstart.exitValue()).as(read(said)).isZero();
        assertThat(read(said)).doesNotContain(" ERROR ", "\tat ");
        assertThat(on(host, "ls -A").text().lines())
                .as("nothing lies around, such as a directory that is named ?")
                .containsExactlyInAnyOrder("config", "dä ta", "scripts", "target");
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private record Said(int exitCode, String text) {}

    private Said on(Host host, String command) throws Exception {
        return ended(start(host.with + command, dir.resolve("unused")));
    }

    private Process start(String command, Path said) throws IOException {
        // Where the checkout really is: the link is only for this test.
        return process(Map.of("SAID", said.toString(), "AT", home.toString()), "cd -P \"$AT\" && " + command);
    }

    private static Said shell(Map<String, String> environment, String script) throws Exception {
        return ended(process(environment, script));
    }

    private static Said ended(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private static Process process(Map<String, String> environment, String script) throws IOException {
        // This JVM may not be able to pass on more than ASCII.
        ProcessBuilder builder = new ProcessBuilder("bash", "-s").redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("ROWLOCK_.*|LC_.*|LANG|JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        return process;
    }
}
