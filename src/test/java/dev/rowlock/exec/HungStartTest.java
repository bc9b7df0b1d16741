package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.Launcher.ProcessStarter;
import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.HungDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that do not come to begin, because what their start needs hangs. All others go on. */
@Order(1)
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class HungStartTest {

    private static final Duration SOON = Duration.ofSeconds(2);

    @AutoClose
    final TestLauncher commands;

    private final SpawnMethod method;

    HungStartTest(SpawnMethod method) {
        this.method = method;
        commands = new TestLauncher(method, SOON, new ProcessSignals(new ProcFs()));
    }

    @Test
    void a_working_directory_that_does_not_answer_is_waited_for_by_its_own_command_alone() throws Exception {
        try (HungDirectory dead = HungDirectory.mount()) {
            List<LaunchSpec> hanging = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                hanging.add(in(dead.path(), commands.spec("touch ran")));
            }
            hanging.forEach(commands.launcher::start);

            Ended other = commands.run("echo alive");
            assertThat(other.exitCode()).isZero();
            TestLauncher.await("the five alone to run", () -> commands.launcher.running() == 5);

            for (int i = 0; i < 5; i++) {
                Ended ended = commands.nextEnded();
                assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
                assertThat(ended.stopped()).isNull();
                assertThat(ended.note())
                        .isEqualTo(
                                "it had not begun after 2s; its working directory " + dead.path() + " does not answer");
            }
        }
    }

    @Test
    void its_timeout_begins_at_the_start_and_kills_reach_it() throws Exception {
        try (HungDirectory dead = HungDirectory.mount()) {
            LaunchSpec timed = TestLauncher.with(
                    in(dead.path(), commands.spec("true")), Map.of(), Duration.ofMillis(1200), Duration.ofSeconds(9));
            Ended ended = commands.run(timed);
            assertThat(ended.stopped()).isEqualTo(StopCause.TIMEOUT);
            assertThat(ended.note())
                    .isEqualTo("it had not begun: its working directory " + dead.path() + " does not answer");

            LaunchSpec killed = in(dead.path(), commands.spec("true"));
            commands.launcher.start(killed);
            commands.launcher.killAll(StopCause.FENCE, Duration.ZERO);
            assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.FENCE);
            TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);
        }
    }

    @Test
    void a_shell_that_hangs_before_its_first_line_is_given_up_too() throws Exception {
        Ended ended = commands.run(hangingShell(commands));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note())
                .isEqualTo(
                        "it had not begun after 2s; its working directory " + commands.directory + " does not answer");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_start_that_hung_for_seconds_has_failed_even_if_its_sessions_deadline_was_nearer() throws Exception {
        try (TestLauncher patient =
                new TestLauncher(method, Duration.ofSeconds(30), new ProcessSignals(new ProcFs()))) {
            Ended ended = patient.run(endingIn(Duration.ofSeconds(3), hangingShell(patient)));

            assertThat(ended.kind())
                    .as("if it was too late, it is given back and hangs again, for ever")
                    .isEqualTo(ExitKind.NOT_STARTED);
            assertThat(ended.note())
                    .matches("it had not begun after (\\d+(ms|s))+; its working directory " + patient.directory
                            + " does not answer");
        }
    }

    @Test
    void a_start_for_which_its_session_had_less_than_a_second_left_has_not_failed() throws Exception {
        try (TestLauncher patient =
                new TestLauncher(method, Duration.ofSeconds(30), new ProcessSignals(new ProcFs()))) {
            Ended ended = patient.run(endingIn(Duration.ofMillis(900), hangingShell(patient)));

            assertThat(ended.kind()).isEqualTo(ExitKind.TOO_LATE);
        }
    }

    @Test
    void where_one_hangs_that_cannot_be_killed_no_second_one_is_started() throws Exception {
        ProcessSignals deaf = new ProcessSignals(new ProcFs()) {
            @Override
            public boolean kill(Proc proc) {
                return true;
            }
        };
        try (TestLauncher unlucky = new TestLauncher(method, SOON, deaf)) {
            LaunchSpec hanging = hangingShell(unlucky);
            Ended survived = unlucky.run(hanging);
            assertThat(survived.kind()).isEqualTo(ExitKind.NOT_STARTED);
            assertThat(survived.survived()).isTrue();
            assertThat(survived.note())
                    .startsWith("it had not begun after 2s; its working directory " + unlucky.directory)
                    .contains("could not be killed: ");

            Ended refused = unlucky.run("touch ran");
            assertThat(refused.kind()).isEqualTo(ExitKind.NOT_STARTED);
            assertThat(refused.note()).contains("a shell hangs there that cannot be killed");
            assertThat(unlucky.run(in(Path.of("/"), unlucky.spec("true"))).exitCode())
                    .isZero();

            release(unlucky.directory);
            TestLauncher.await(
                    "the directory to be used again", () -> unlucky.run("true").kind() == ExitKind.EXITED);
            assertThat(unlucky.directory.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void processes_that_cannot_be_made_hold_up_nothing_else() throws Exception {
        List<LaunchSpec> hanging = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            hanging.add(hangingMaking());
        }

        assertThat(commands.run("echo alive").exitCode()).isZero();
        for (int i = 0; i < 3; i++) {
            Ended ended = commands.nextEnded();
            assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
            assertThat(ended.note()).isEqualTo("it had not begun after 2s; its process could not be made");
        }
        TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);
        TestLauncher.await(
                "people to be told", () -> commands.launcher.spawnProblem().isPresent());
        assertThat(commands.launcher.spawnProblem().orElseThrow()).contains("3 starts hang");
        assertThat(commands.run("echo still alive").exitCode()).isZero();

        for (LaunchSpec spec : hanging) {
            letBeMade(spec);
        }
        TestLauncher.await(
                "the problem to be over", () -> commands.launcher.spawnProblem().isEmpty());
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    /** As in a daemon that is frozen after it asked for the process and before it heard of it. */
    @Test
    void what_ran_before_its_daemon_heard_of_its_process_keeps_its_outcome() throws Exception {
        CountDownLatch frozen = new CountDownLatch(1);
        try (TestLauncher late = new TestLauncher(SOON, new ProcessSignals(new ProcFs()), afterwards(frozen))) {
            late.start("echo done > ran");
            late.awaitFile("ran");
            long closed = Uptime.millis() + SOON.plus(Gate.MARGIN).toMillis();
            TestLauncher.await("its gate to be closed", () -> Uptime.millis() > closed);
            frozen.countDown();

            Ended ended = late.nextEnded();
            assertThat(ended.kind()).isEqualTo(ExitKind.EXITED);
            assertThat(ended.exitCode()).isZero();
        }
    }

    @Test
    void of_a_process_that_was_asked_for_and_never_heard_of_nobody_says_that_it_did_not_run() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (TestLauncher late = new TestLauncher(SOON, new ProcessSignals(new ProcFs()), afterwards(never))) {
            late.start("echo done > ran");
            LaunchSpec lasting = late.start("echo $$ > pid; exec sleep 1000");
            long pid = Long.parseLong(late.awaitFile("pid"));

            List<Ended> ends = List.of(late.nextEnded(), late.nextEnded());
            assertThat(ends).allSatisfy(ended -> {
                assertThat(ended.kind()).isEqualTo(ExitKind.UNKNOWN);
                assertThat(ended.note()).startsWith("it is not known whether it began");
            });
            assertThat(ends).extracting(Ended::launchId).contains(lasting.launchId());
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(late.awaitFile("ran")).isEqualTo("done");
            never.countDown();
        }
    }

    /** On a busy host it may have ended by then. */
    @Test
    void a_command_whose_maker_is_told_late_ran_as_long_as_it_did() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        try (TestLauncher late = new TestLauncher(Gate.WITHIN, new ProcessSignals(new ProcFs()), afterwards(told))) {
            late.start("sleep 0.3; echo done > ran");
            assertThat(late.awaitFile("ran")).isEqualTo("done");
            told.countDown();

            Ended ended = late.nextEnded();
            assertThat(ended.endedNanos() - ended.startedNanos()).isGreaterThan(300_000_000);
        }
    }

    private Function<Path, ProcessStarter> afterwards(CountDownLatch latch) {
        return directory -> new ProcessStarter() {

            private final Shell shell = Launcher.shell(directory, method);

            @Override
            public void prepare() {
                shell.prepare();
            }

            @Override
            public Path gate() {
                return shell.gate();
            }

            @Override
            public void probe() throws IOException {
                shell.probe();
            }

            @Override
            public Child start(LaunchSpec spec, long deadline, Outflow.Sink output) throws IOException {
                Child child = shell.start(spec, deadline, output);
                try {
                    latch.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return child;
            }
        };
    }

    @Test
    void what_waits_behind_them_is_ended_at_once_when_it_is_not_wanted_any_more() throws Exception {
        LaunchSpec one = hangingMaking();
        LaunchSpec other = hangingMaking();
        TestLauncher.await("both forking threads to hang", () -> commands.begun.get() == 2);
        LaunchSpec behind = commands.start("touch ran");
        commands.launcher.killAll(StopCause.FENCE, Duration.ZERO);

        Ended first = commands.nextEnded();
        assertThat(first.launchId()).isEqualTo(behind.launchId());
        assertThat(first.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(first.stopped()).isEqualTo(StopCause.FENCE);
        assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.FENCE);
        assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.FENCE);
        TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
        letBeMade(one);
        letBeMade(other);
    }

    @Test
    void a_gate_that_cannot_say_why_it_refuses_is_believed_all_the_same() throws IOException {
        LaunchSpec late = TestLauncher.late(commands.spec("touch ran"));
        Files.createDirectory(outputOf(late));
        assertThat(commands.run(late).kind()).isEqualTo(ExitKind.TOO_LATE);

        LaunchSpec full = TestLauncher.late(commands.spec("touch ran"));
        Files.createSymbolicLink(outputOf(full), Path.of("/dev/full"));
        assertThat(commands.run(full).kind()).isEqualTo(ExitKind.TOO_LATE);

        LaunchSpec nowhere = in(Path.of("/nowhere"), commands.spec("touch ran"));
        Files.createDirectory(outputOf(nowhere));
        assertThat(commands.run(nowhere).kind()).isEqualTo(ExitKind.NOT_STARTED);

        LaunchSpec itself = commands.spec("exit 113");
        Files.createDirectory(outputOf(itself));
        assertThat(commands.run(itself).exitCode()).isEqualTo(113);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    /** The output file is a pipe: opening it for writing hangs until somebody reads it. */
    private LaunchSpec hangingMaking() throws Exception {
        LaunchSpec spec = commands.spec("touch ran");
        pipe(pipeOf(spec));
        Files.createSymbolicLink(outputOf(spec), pipeOf(spec));
        commands.launcher.start(spec);
        return spec;
    }

    private void letBeMade(LaunchSpec spec) throws IOException {
        Files.newInputStream(pipeOf(spec)).close();
    }

    private Path pipeOf(LaunchSpec spec) {
        return commands.directory.resolve(spec.launchId() + ".pipe");
    }

    private Path outputOf(LaunchSpec spec) {
        return commands.directory.resolve("output/" + spec.launchId() + ".out");
    }

    private static LaunchSpec in(@Nullable Path workdir, LaunchSpec spec) {
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command().toString(),
                workdir,
                spec.environment(),
                spec.timeout(),
                spec.killGrace(),
                spec.deadlineUptimeMillis());
    }

    private static LaunchSpec endingIn(Duration left, LaunchSpec spec) {
        return new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command().toString(),
                spec.workdir(),
                spec.environment(),
                spec.timeout(),
                spec.killGrace(),
                Uptime.millis() + left.toMillis());
    }

    /** Its shell waits, before it reads a line, for somebody to write the character set of its locale. */
    private static LaunchSpec hangingShell(TestLauncher launcher) throws Exception {
        Path directory = launcher.directory;
        pipe(Files.createDirectories(directory.resolve("locales/hung")).resolve("LC_CTYPE"));
        LaunchSpec spec = launcher.spec("touch ran");
        Map<String, String> locale =
                Map.of("LOCPATH", directory.resolve("locales").toString(), "LC_ALL", "hung");
        return TestLauncher.with(spec, locale, null, Duration.ofMillis(300));
    }

    private static void release(Path directory) throws IOException {
        Path pipe = directory.resolve("locales/hung/LC_CTYPE");
        Files.newOutputStream(pipe, StandardOpenOption.WRITE).close();
    }

    private static void pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
    }
}
