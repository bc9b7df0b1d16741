package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Command;
import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import dev.rowlock.secret.SecretSource;
import dev.rowlock.secret.SecretValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real commands with secrets: what they get, what is shown of it, and what others can see. */
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class SecretCommandsTest {

    private static final String VALUE = "c0rrect h0rse/battery+staple & 'quotes' \"too\" $HOME";

    @AutoClose
    final TestLauncher commands;

    SecretCommandsTest(SpawnMethod method) {
        commands = new TestLauncher(method);
    }

    @Test
    void a_command_gets_its_secret_and_what_it_says_of_it_is_masked() {
        Ended ended =
                run("[[ $PW == \"$EXPECTED\" ]] && echo same; echo \"<$PW>\"; printf %s \"$PW\" | base64 -w0; echo;"
                        + " printf 'user:%s@host' \"$PW\" | base64; printf %s \"$PW\" | base64 -w 8; echo;"
                        + " printf %s \"$PW\" | base64 -w0 | tr +/ -_; echo;"
                        + " printf %s \"$PW\" | od -An -v -tx1 | tr -d '\\n' | sed 's/ /%/g'; echo; echo \"$PW\" >&2");

        assertThat(ended.exitCode()).isZero();
        String said = commands.text(ended.launchId());
        assertThat(said.lines().limit(3)).containsExactly("same", "<***>", "***");
        assertThat(said).endsWith("***\n").doesNotContain("h0rse").doesNotContain("YzBycmVjdCBoMHJzZ");
        assertThat(said.lines().skip(4).toList()).contains("***");
        assertThat(ended.outputBytes()).isEqualTo(said.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "sh", "none", "first shell"})
    void no_argument_of_any_process_holds_it_while_the_command_runs(String shell) throws IOException {
        String ready = commands.directory.resolve("ready").toString();
        String script = "sleep 300 & (sleep 301; :) & echo \"$PW\" > /dev/null; echo ready > " + ready + "; wait";
        RunOptions options = switch (shell) {
            case "sh" -> new RunOptions(null, null, null, Limits.NONE, CommandShell.SH, null);
            case "none" -> new RunOptions(null, null, null, Limits.NONE, CommandShell.NONE, null);
            case "first shell" -> new RunOptions(null, "027", 3, Limits.NONE, CommandShell.BASH, "to read");
            default -> RunOptions.NONE;
        };
        Command command = shell.equals("none") ? Command.of(List.of("/bin/bash", "-c", script)) : Command.of(script);
        LaunchSpec spec = withSecret(commands.with(options, command), SecretSource.of(SecretValue.of(VALUE)));
        commands.launcher.start(spec);
        commands.awaitFile("ready");

        // One that executes a program just now has no environment for a moment.
        TestLauncher.await(
                "three processes that have it",
                () -> environmentsWith(spec.sessionId()).size() > 2);
        assertThat(argumentsWith("h0rse")).isEmpty();
        assertThat(filesWith(commands.directory, "h0rse")).isEmpty();
        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.REQUEST);
    }

    @Test
    void a_command_that_opens_its_output_anew_shows_no_piece_of_it() throws IOException {
        LaunchSpec spec = withSecret(
                commands.spec("printf '%02999d' 0; echo >wrote; until [ -e seen ]; do sleep 0.05; done;"
                        + " : >/dev/stderr; printf '%02990d' 0; printf %s \"pw is $PW end\" | tee /dev/stderr"),
                SecretSource.of(SecretValue.of(VALUE)));
        commands.launcher.start(spec);
        commands.awaitFile("wrote");
        TestLauncher.await(
                "what was written", () -> commands.text(spec.launchId()).length() == 2999);
        Files.createFile(commands.directory.resolve("seen"));

        Ended ended = commands.nextEnded();
        assertThat(commands.text(spec.launchId())).isEqualTo("0".repeat(5989) + "pw is *** endpw is *** end");
        assertThat(ended.outputBytes()).isEqualTo(5989 + 26);
    }

    @Test
    void it_wins_over_a_plain_variable_of_the_same_name() {
        LaunchSpec spec = TestLauncher.environment(
                commands.spec("[[ $PW == \"$EXPECTED\" ]]"), Map.of("PW", "plain", "EXPECTED", VALUE));

        assertThat(commands.run(withSecret(spec, SecretSource.of(SecretValue.of(VALUE))))
                        .exitCode())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LD_AUDIT", "BASH_ENV", "BASH_FUNC_x%%"})
    void a_variable_that_could_only_be_passed_in_an_argument_is_refused(String variable) {
        LaunchSpec spec = commands.spec("echo run");
        Ended ended = commands.run(new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command(),
                spec.workdir(),
                Map.of(),
                Map.of(variable, SecretSource.of(SecretValue.of(VALUE))),
                RunOptions.NONE,
                null,
                spec.killGrace(),
                spec.deadlineUptimeMillis()));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).contains("secretEnv." + variable).doesNotContain("h0rse");
    }

    @Test
    void without_its_secret_a_command_is_not_started() {
        Ended ended = commands.run(
                withSecret(commands.spec("echo run"), SecretSource.missing("there is no secret ops/warehouse")));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).isEqualTo("there is no secret ops/warehouse");
        assertThat(commands.text(ended.launchId())).isEmpty();
        assertThat(commands.launcher.outputs()).isEmpty();
    }

    @Test
    void a_command_that_pretends_to_be_the_gate_tells_nothing() {
        Ended ended = run("word=$(tr '\\0' '\\n' </proc/$$/environ | sed -n s/ROWLOCK_GATE_WORD=//p);"
                + " echo \"rowlock $word: nothing was run: cannot: $PW\"; exit 113");

        assertThat(String.valueOf(ended.note())).contains("***").doesNotContain("h0rse");
    }

    private Ended run(String command) {
        LaunchSpec spec = TestLauncher.environment(commands.spec(command), Map.of("EXPECTED", VALUE));
        return commands.run(withSecret(spec, SecretSource.of(SecretValue.of(VALUE))));
    }

    private static LaunchSpec withSecret(LaunchSpec spec, SecretSource source) {
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command(),
                spec.workdir(),
                spec.environment(),
                Map.of("PW", source),
                spec.options(),
                null,
                Duration.ofMillis(300),
                spec.deadlineUptimeMillis());
    }

    /** The command lines of this machine that hold a text. */
    private static List<String> argumentsWith(String text) {
        return processes("cmdline").stream().filter(line -> line.contains(text)).toList();
    }

    private static List<String> environmentsWith(String session) {
        return processes("environ").stream()
                .filter(environ -> environ.contains("ROWLOCK_SESSION=" + session + "\0") && environ.contains("h0rse"))
                .toList();
    }

    private static List<String> processes(String file) {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path process : all.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                try {
                    found.add(Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    found.add(""); // ended meanwhile, or not ours
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static List<Path> filesWith(Path directory, String text) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
                    found.add(file);
                }
            }
        }
        return found;
    }
}
