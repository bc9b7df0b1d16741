package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlock top} in a real terminal of 80 columns and 24 rows: keys are sent to tmux, and its screen is read. */
@Tag("database")
@Tag("slow")
class TopInTerminalTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    static Path home;

    private static String task = "";

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(dir -> Files.isExecutable(Path.of(dir, "tmux"))),
                "there is no tmux here, so top is not tested in a terminal; scripts/tmux-for-tests installs it");
        Path script = ScriptHome.install(home);
        add("ops/long", "@manual", "echo it works; sleep 600");
        add("ops/other", "@every 6h", "true");
        task = cli.run("job", "run", "ops/long", "-o", "name").out().strip();
        await("it executes", () -> cli.json("task", "show", task).path("state").asText(), "EXECUTING"::equals);
        String top = "ROWLOCK_URL=" + cli.node().url() + " ROWLOCK_TOKEN="
                + cli.node().token() + " HOME=" + home + " "
                + script + " top --every 1s; echo top ended with $?; stty -a | grep -o '[-]*icanon\\|[-]*echo ';"
                + " cat";
        tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "bash", "-c", top);
    }

    private static void add(String name, String schedule, String command) {
        assertThat(cli.run("job", "add", name, "--schedule", schedule, "--command", command)
                        .exitCode())
                .isZero();
    }

    @AfterAll
    static void end() throws Exception {
        if (Files.exists(home.resolve("tmux"))) {
            tmux("kill-server");
        }
    }

    private static String tmux(String... words) throws IOException, InterruptedException {
        List<String> line =
                new ArrayList<>(List.of("tmux", "-S", home.resolve("tmux").toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("TERM", "screen-256color");
        builder.environment().remove("TMUX");
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @FunctionalInterface
    private interface Reading {
        String read() throws Exception;
    }

    private static String await(String what, Reading reading, Predicate<String> isThere) throws Exception {
        return Until.is(Duration.ofSeconds(60), what, () -> {
            String read = reading.read();
            return isThere.test(read) ? read : null;
        });
    }

    private static String screen() throws Exception {
        return tmux("capture-pane", "-p");
    }

    private static String screenWith(String text) throws Exception {
        return await("the screen shows " + text, TopInTerminalTest::screen, screen -> screen.contains(text));
    }

    private static void without(String text) throws Exception {
        await("the screen no longer shows " + text, TopInTerminalTest::screen, screen -> !screen.contains(text));
    }

    private static void keys(String... keys) throws Exception {
        List<String> words = new ArrayList<>(List.of("send-keys"));
        words.addAll(List.of(keys));
        tmux(words.toArray(String[]::new));
    }

    @Test
    void keys_do_what_the_help_says() throws Exception {
        String first = screenWith("? helps, q ends");
        assertThat(first).contains("ops/long", "ops/other");
        assertThat(first.lines()).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);

        keys("/", "o", "t", "h", "e", "r", "Enter");
        without("ops/long");
        screenWith("ops/other");
        keys("Escape");
        screenWith("ops/long");

        keys("?");
        assertThat(screenWith("kill the task")).contains("filter by what a line says");
        keys("q");
        screenWith("ops/long");

        keys("Up");
        await("it is chosen", TopInTerminalTest::screen, screen -> screen.matches("(?s).*\n> [^\n]*ops/long.*"));
        keys("l");
        screenWith("it works");
        keys("q");
        screenWith("ops/long");
        keys("w");
        without("ops/other");
        keys("q");
        screenWith("ops/other");

        keys("p");
        screenWith("pause ops/long? [y/N]");
        keys("n");
        without("[y/N]");
        assertThat(cli.json("job", "get", "ops/long").path("paused").asBoolean())
                .isFalse();
        keys("p");
        screenWith("pause ops/long? [y/N]");
        keys("y");
        await(
                "it is paused",
                () -> cli.json("job", "get", "ops/long").path("paused").asText(),
                "true"::equals);

        keys("k");
        screenWith("kill task " + task + "? [y/N]");
        keys("y");
        await(
                "it is killed",
                () -> cli.json("task", "show", task).path("outcome").asText(),
                "KILLED"::equals);

        keys("q");
        screenWith("top ended with 0");
        assertThat(screenWith("icanon"))
                .as("the terminal is sane")
                .contains("icanon", "echo")
                .doesNotContain("-icanon", "-echo ")
                .doesNotContain("80R");
    }
}
