package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class LauncherTest {

    @AutoClose
    final TestLauncher commands;

    private final SpawnMethod method;

    LauncherTest(SpawnMethod method) {
        this.method = method;
        commands = new TestLauncher(method);
    }

    @Test
    void a_command_ends_with_its_exit_code_and_its_output() {
        Ended ended = commands.run("echo out; echo err >&2; echo again; exit 3");

        assertThat(ended.kind()).isEqualTo(ExitKind.EXITED);
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.signal()).isNull();
        assertThat(ended.stopped()).isNull();
        assertThat(ended.note()).isNull();
        assertThat(ended.outputBytes()).isEqualTo(14);
        assertThat(ended.endedNanos()).isGreaterThan(ended.startedNanos());
        assertThat(commands.text(ended.launchId())).isEqualTo("out\nerr\nagain\n");
    }

    @Test
    void a_signal_is_recorded() {
        Ended ended = commands.run("kill -SEGV $$");

        assertThat(ended.exitCode()).isEqualTo(139);
        assertThat(ended.signal()).isEqualTo(11);
        assertThat(ended.stopped()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo $LINENO $0 $# $@ $- $_ \"$?\"",
                "echo one\nnosuchcommand\necho $LINENO",
                "fi",
                "echo a\nfi",
                "echo 'unterminated",
                "cat <<E\nx $LINENO\n'q' \"d\"\nE\nnosuchcommand",
                "f() {\n nosuchcommand\n}\nf",
                "# only a comment",
                "",
                "exec printf %s done\n",
                "compgen -v | grep -iE 'gate|bash_env'; env | sort | grep -v -e ^ROWLOCK_ -e ^_ -e ^SHLVL",
                "set -o nounset; echo $NOT_THERE",
                "cat; echo \"eof $?\"; readlink /proc/self/fd/0",
                "trap 'echo bye' EXIT; false",
                "echo \"äöü €\" 'it''s'; printf '%s\\n' \"$UMLAUT\"",
            })
    void a_command_means_what_bash_makes_of_it(String command) throws Exception {
        Map<String, String> environment = Map.of("LANG", "C.UTF-8", "UMLAUT", "grün 'x' \\ \n€");
        Ended ended = commands.run(TestLauncher.with(commands.spec(command), environment, null, Duration.ZERO));

        Path script = Files.writeString(commands.directory.resolve("plain"), "exec /usr/bin/bash -c \"$(</dev/fd/9)\"");
        Files.writeString(commands.directory.resolve("command"), command.replaceAll("\n+$", ""));
        Files.writeString(commands.directory.resolve("umlaut"), environment.get("UMLAUT"));
        ProcessBuilder plain = new ProcessBuilder(
                "/usr/bin/bash", "-c", "export UMLAUT=\"$(<umlaut)\"; . ./plain 9<command", script.toString());
        plain.environment().clear();
        plain.environment()
                .putAll(Map.of("PATH", Shell.PATH, "HOME", System.getProperty("user.home"), "LANG", "C.UTF-8"));
        plain.directory(commands.directory.toFile());
        plain.redirectErrorStream(true).redirectInput(Path.of("/dev/null").toFile());
        Process process = plain.start();
        String expected = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(commands.text(ended.launchId()).replaceAll("(?m)^PWD=.*\n", ""))
                .isEqualTo(expected.replaceAll("(?m)^PWD=.*\n", ""));
        assertThat(ended.exitCode()).isEqualTo(process.waitFor());
    }

    @Test
    void the_environment_is_clean_but_for_the_base_and_what_the_job_gives() {
        Ended ended = commands.run(TestLauncher.with(
                commands.spec("env | grep -v -e ^_= -e ^SHLVL= -e ^PWD= | sort"),
                Map.of("PATH", "/usr/bin:/bin", "MINE", "x y", "ROWLOCK_LAUNCH_ID", "forged"),
                null,
                Duration.ZERO));

        assertThat(commands.text(ended.launchId()).lines())
                .containsExactly(
                        "HOME=" + System.getProperty("user.home"),
                        "LANG=C.UTF-8",
                        "MINE=x y",
                        "PATH=/usr/bin:/bin",
                        "ROWLOCK_LAUNCH_ID=" + ended.launchId(),
                        "ROWLOCK_SESSION=" + commands.session);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASH_ENV", "POSIXLY_CORRECT", "SSH_CLIENT", "BASH_FUNC_read%%", "SHELLOPTS"})
    void variables_that_sway_bash_reach_the_command_but_not_the_gate(String name) {
        String value = name.startsWith("BASH_FUNC") ? "() { :; }" : name.equals("SHELLOPTS") ? "verbose" : "/dev/null";
        LaunchSpec spec = commands.spec("env | grep -F '" + name + "='; touch ran");
        Ended late = commands.run(TestLauncher.late(TestLauncher.with(spec, Map.of(name, value), null, Duration.ZERO)));
        assertThat(late.kind()).isEqualTo(ExitKind.TOO_LATE);
        assertThat(commands.directory.resolve("ran")).doesNotExist();

        LaunchSpec again = commands.spec(spec.command().toString());
        Ended ended = commands.run(TestLauncher.with(again, Map.of(name, value), null, Duration.ZERO));
        assertThat(commands.text(ended.launchId())).contains(name);
        assertThat(commands.directory.resolve("ran")).exists();
    }

    @Test
    void nothing_of_a_command_is_run_once_its_deadline_has_passed() {
        Ended ended = commands.run(TestLauncher.late(commands.spec("touch ran")));

        assertThat(ended.kind()).isEqualTo(ExitKind.TOO_LATE);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_command_that_says_the_gates_exit_code_itself_is_not_taken_for_late() {
        assertThat(commands.run("exit 113").kind()).isEqualTo(ExitKind.EXITED);
        Ended ended = commands.run("for what in \"rowlock: nothing of $ROWLOCK_LAUNCH_ID was run\" \"rowlock"
                + " $ROWLOCK_GATE_WORD: nothing was run\"; do echo \"$what: too late\"; done; exit 113");
        assertThat(ended.kind()).isEqualTo(ExitKind.EXITED);
        assertThat(ended.exitCode()).isEqualTo(113);
        assertThat(commands.run("printf \"rowlock: nothing of $ROWLOCK_LAUNCH_ID was run: too late\\n\"; exit 113")
                        .kind())
                .isEqualTo(ExitKind.EXITED);
    }

    /** As in a crontab that came from another host: bash complains of it before it reads the gate. */
    @Test
    void a_locale_that_this_host_lacks_hides_no_refusal() {
        Map<String, String> locale = Map.of("LC_ALL", "xx_YY.UTF-8");
        Ended ran = commands.run(TestLauncher.environment(commands.spec("echo ran"), locale));
        assertThat(ran.exitCode()).isZero();
        assertThat(commands.text(ran.launchId())).endsWith("ran\n");

        Ended late = commands.run(TestLauncher.late(TestLauncher.environment(commands.spec("touch ran"), locale)));
        assertThat(late.kind()).isEqualTo(ExitKind.TOO_LATE);
        Ended nowhere = commands.run(
                TestLauncher.environment(TestLauncher.in(Path.of("/nowhere"), commands.spec("touch ran")), locale));
        assertThat(nowhere.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(nowhere.note()).isEqualTo("the working directory /nowhere does not exist");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_missing_working_directory_is_said_by_its_name() {
        LaunchSpec spec = commands.spec("true");
        Ended ended = commands.run(new LaunchSpec(
                spec.launchId(), "s", "true", Path.of("/nowhere"), Map.of(), null, Duration.ZERO, Long.MAX_VALUE));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).isEqualTo("the working directory /nowhere does not exist");
        TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);
    }

    @Test
    void nothing_is_started_without_a_guard() {
        commands.guarded.set(false);
        Ended ended = commands.run("touch ran");

        assertThat(ended.kind()).isEqualTo(ExitKind.UNGUARDED);
        assertThat(ended.note()).contains("guard");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void whatever_goes_wrong_on_the_way_is_told() throws Exception {
        LinkedBlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
        try (Launcher launcher = new Launcher(
                commands.directory.resolve("other"),
                new OutputLimits(1 << 20, 64 << 10, 64 << 10),
                method,
                System::nanoTime,
                () -> {
                    throw new NoClassDefFoundError("some/Class");
                },
                ended::add)) {
            LaunchSpec spec = commands.spec("echo never");
            launcher.start(spec);

            Ended how = ended.poll(TestLauncher.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(how).isNotNull();
            assertThat(how.kind()).isEqualTo(ExitKind.NOT_STARTED);
            assertThat(how.note()).contains("some/Class");
            TestLauncher.await("nothing to run", () -> launcher.running() == 0);
        }
    }

    @Test
    void a_launch_id_is_not_accepted_while_it_is_running() {
        LaunchSpec spec = commands.start("sleep 60");

        assertThatThrownBy(() -> commands.launcher.start(spec)).hasMessageContaining("running already");
    }

    @Test
    void a_command_may_be_64_kib_long() {
        String command = "echo " + "x".repeat(65_530);
        assertThat(commands.run(command).outputBytes()).isEqualTo(65_531);
    }

    @Test
    void ten_thousand_lines_from_both_streams_keep_their_order() {
        Ended ended =
                commands.run("for ((i=0; i<10000; i++)); do if ((i%2)); then echo $i; else echo $i >&2; fi; done");
        CommandOutput output = commands.launcher.output(ended.launchId());

        String[] lines = new String(output.after(0), StandardCharsets.UTF_8).split("\n");
        assertThat(lines).hasSize(10_000);
        for (int i = 0; i < lines.length; i++) {
            assertThat(lines[i]).isEqualTo(Integer.toString(i));
        }
    }

    /** As scripts write an error, and as {@code tee} does: a file would be empty once it is opened so. */
    @Test
    void output_that_a_command_opens_anew_keeps_what_was_there() {
        Ended ended = commands.run("echo one; echo two >/dev/stdout; echo three | tee /dev/stderr; : >/proc/self/fd/1;"
                + " echo four >/dev/stderr; bash -c 'echo five >/proc/$PPID/fd/2'; printf six");

        assertThat(commands.text(ended.launchId())).isEqualTo("one\ntwo\nthree\nthree\nfour\nfive\nsix");
        assertThat(ended.outputBytes()).isEqualTo(33);
        assertThat(ended.note()).isNull();
    }

    @Test
    void whoever_has_escaped_with_the_output_holds_up_no_end() {
        Ended ended = commands.run("setsid env -i /bin/bash -c '(echo $BASHPID >pid; exec sleep 600) &'; echo done");

        assertThat(ended.exitCode()).isZero();
        assertThat(commands.text(ended.launchId())).isEqualTo("done\n");
        ProcessHandle.of(Long.parseLong(commands.awaitFile("pid"))).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void what_is_written_last_by_many_at_once_is_there_when_their_end_is_told() {
        for (int i = 0; i < 100; i++) {
            commands.start("printf %070000d 7");
        }
        for (int i = 0; i < 100; i++) {
            Ended ended = commands.nextEnded();
            assertThat(ended.outputBytes()).isEqualTo(70_000);
            assertThat(commands.text(ended.launchId())).endsWith("07");
        }
    }

    @Test
    void three_hundred_commands_at_once_all_end_once() {
        Set<LaunchId> started = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            started.add(commands.start("sleep 1; echo done").launchId());
        }
        assertThat(commands.launcher.running()).isGreaterThan(250);

        Set<LaunchId> ended = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            Ended one = commands.nextEnded();
            assertThat(one.exitCode()).isZero();
            assertThat(ended.add(one.launchId())).isTrue();
        }
        assertThat(ended).isEqualTo(started);
    }

    @Test
    void a_full_disk_stops_nothing_but_output() throws IOException {
        LaunchSpec spec = commands.spec("echo lost; echo kept >proof; exit 5");
        Path output = commands.directory.resolve("output/" + spec.launchId() + ".out");
        Files.createSymbolicLink(output, Path.of("/dev/full"));

        Ended ended = commands.run(spec);
        assertThat(ended.kind()).isEqualTo(ExitKind.EXITED);
        assertThat(ended.exitCode()).isEqualTo(5);
        assertThat(commands.awaitFile("proof")).isEqualTo("kept");
        assertThat(ended.outputBytes()).isZero();
    }

    @Test
    void output_that_cannot_even_be_opened_stops_no_command() throws IOException {
        LaunchSpec spec = commands.spec("echo lost; exit 5");
        Path output = commands.directory.resolve("output/" + spec.launchId() + ".out");
        Files.createDirectory(output);

        assertThat(commands.run(spec).exitCode()).isEqualTo(5);
    }

    @Test
    void a_command_that_is_stopped_before_it_has_started_never_does() {
        for (int i = 0; i < 100; i++) {
            commands.start("sleep 30");
        }
        LaunchSpec last = commands.start("touch ran; sleep 30");
        assertThat(commands.launcher.kill(last.launchId(), StopCause.REQUEST)).isTrue();
        commands.launcher.killAll(StopCause.SHUTDOWN, Duration.ZERO);
        for (int i = 0; i < 101; i++) {
            Ended ended = commands.nextEnded();
            assertThat(ended.stopped())
                    .isEqualTo(ended.launchId().equals(last.launchId()) ? StopCause.REQUEST : StopCause.SHUTDOWN);
        }
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void output_stays_until_it_is_discarded() throws IOException {
        Ended ended = commands.run("echo kept");
        assertThat(commands.launcher.outputs()).containsExactly(ended.launchId());

        commands.launcher.discardOutput(ended.launchId());
        assertThat(commands.launcher.outputs()).isEmpty();
        assertThat(commands.launcher.output(ended.launchId()).totalBytes()).isZero();
    }
}
