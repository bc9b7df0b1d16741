package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rowlock.exec.HostIdentity.ProcessExistence;
import dev.rowlock.exec.process.OrphanSweep;
import dev.rowlock.exec.process.Uptime;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Order(1)
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class GuardTest {

    private static final String STUBBORN = "trap '' TERM HUP; echo $$ >pid%d; while :; do sleep 61; done";

    @TempDir
    Path directory;

    private final SpawnMethod method;
    private final String session = "guarded" + System.nanoTime();
    private final List<Process> processes = new ArrayList<>();

    GuardTest(SpawnMethod method) {
        this.method = method;
    }

    @AfterEach
    void leave_nothing() {
        processes.forEach(Process::destroyForcibly);
        assertThat(OrphanSweep.killSession(session)).isNotNegative();
    }

    @Test
    void when_the_jvm_is_killed_nothing_of_its_session_is_left_and_the_guard_ends() throws Exception {
        Process daemon = daemon(
                60_000,
                STUBBORN.formatted(0),
                "setsid nohup bash -c 'echo $$ >pid1; sleep 61; :' >/dev/null 2>&1 &"
                        // What a command leaves behind is ended soon after it: perhaps before it could say its pid.
                        + " until [ -s pid1 ]; do sleep 0.05; done; exit",
                "(env -i setsid bash -c 'echo $$ >pid2; sleep 61; :') & wait");
        long guard = guardOf(daemon);
        awaitPids(3);

        daemon.destroyForcibly();
        awaitDeath(Duration.ofSeconds(10), 3);
        TestLauncher.await("the guard's end", Duration.ofSeconds(10), () -> !TestLauncher.isAlive("" + guard));
    }

    @Test
    void what_runs_as_another_user_dies_with_the_jvm_too() throws Exception {
        assumeThat(RunAs.problem())
                .as("this host lets nobody run as somebody else")
                .isEmpty();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Process daemon = daemon(
                60_000,
                "@nobody " + STUBBORN.formatted(0),
                "@nobody setsid bash -c 'trap \"\" TERM; echo $$ >pid1; sleep 61; :' >/dev/null 2>&1 &"
                        + " while [[ ! -s pid1 ]]; do sleep 0.01; done",
                "@nobody (env -i setsid bash -c 'echo $$ >pid2; sleep 61; :') & wait");
        long guard = guardOf(daemon);
        awaitPids(3);
        assertThat(Files.getAttribute(Path.of("/proc", pid(1)), "unix:uid")).isNotEqualTo(0);

        daemon.destroyForcibly();
        awaitDeath(Duration.ofSeconds(10), 3);
        TestLauncher.await("the guard's end", Duration.ofSeconds(10), () -> !TestLauncher.isAlive("" + guard));
    }

    @Test
    void a_jvm_frozen_beyond_its_deadline_loses_its_commands_at_the_deadline() throws Exception {
        Process daemon = daemon(60_000, STUBBORN.formatted(0), STUBBORN.formatted(1));
        long guard = guardOf(daemon);
        awaitPids(2);
        say(daemon, "feed 2500");
        long deadline = Uptime.millis() + 2500;
        signal("STOP", daemon.pid());

        TestLauncher.await("almost the deadline", () -> Uptime.millis() > deadline - 1000);
        assertThat(TestLauncher.isAlive(pid(0))).isTrue();
        awaitDeath(Duration.ofSeconds(10), 2);
        assertThat(Uptime.millis() - deadline).isLessThan(500);

        // The guard keeps watch for as long as the frozen JVM might start something.
        Process late = carrying(session);
        TestLauncher.await("the late one's end", Duration.ofSeconds(10), () -> !late.isAlive());
        assertThat(TestLauncher.isAlive("" + guard)).isTrue();
        signal("CONT", daemon.pid());
        assertThat(say(daemon, "feed 60000")).isIn("true", "false");
        TestLauncher.await("the answer", () -> say(daemon, "feed 60000").equals("true"));
    }

    @Test
    void a_line_that_comes_in_pieces_is_understood() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Shell.bash(), "-c", Shell.resource("guard.sh"), "rowlock-guard");
        Process guard = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        processes.add(guard);
        BufferedReader answers = guard.inputReader(StandardCharsets.US_ASCII);
        guard.getOutputStream().write("session ".getBytes(StandardCharsets.US_ASCII));
        guard.getOutputStream().flush();
        long now = Uptime.millis();
        TestLauncher.await("several of the guard's rounds", () -> Uptime.millis() - now > 700);
        guard.getOutputStream().write((session + " 999999999999\n").getBytes(StandardCharsets.US_ASCII));
        guard.getOutputStream().flush();

        assertThat(answers.readLine()).isEqualTo("ok " + session);
    }

    @Test
    void a_renewed_deadline_keeps_the_commands_and_a_new_name_ends_those_of_the_old() throws Exception {
        Process daemon = daemon(60_000, STUBBORN.formatted(0));
        guardOf(daemon);
        awaitPids(1);
        say(daemon, "feed 3000");
        long until = Uptime.millis() + 3500;
        TestLauncher.await("renewals beyond the first deadline", () -> {
            assertThat(say(daemon, "feed 3000")).isEqualTo("false");
            return Uptime.millis() > until;
        });
        assertThat(TestLauncher.isAlive(pid(0))).isTrue();

        Process ofTheNext = carrying(session + "b");
        say(daemon, "rename " + session + "b 60000");
        awaitDeath(Duration.ofSeconds(10), 1);
        assertThat(ofTheNext.isAlive()).isTrue();
    }

    @Test
    void only_the_whole_session_id_counts() throws Exception {
        Process longer = carrying(session + "1");
        Process shorter = carrying(session.substring(1));
        Process exact = carrying(session);
        try (Guard guard = Guard.start(session, Uptime.millis() - 1)) {
            TestLauncher.await("the end of the one that is meant", () -> !exact.isAlive());
            TestLauncher.await("the answer", guard::condemned);
        }
        assertThat(longer.isAlive()).isTrue();
        assertThat(shorter.isAlive()).isTrue();
    }

    @Test
    void a_guard_that_died_is_replaced_and_the_new_one_knows_the_deadline() throws Exception {
        try (Guard guard = Guard.start(session, Uptime.millis() + 60_000)) {
            long first = guard.pid();
            signal("KILL", first);
            TestLauncher.await("its end", () -> !guard.isAlive());
            assertThat(guard.ensureAlive()).isTrue();
            assertThat(guard.pid()).isNotEqualTo(first);

            Process command = carrying(session);
            guard.feed(Uptime.millis() + 100);
            TestLauncher.await("the command's end", () -> !command.isAlive());
        }
    }

    @Test
    void a_guard_that_does_not_answer_is_not_alive() throws Exception {
        try (Guard guard = Guard.start(session, Uptime.millis() + 60_000)) {
            signal("STOP", guard.pid());
            guard.feed(Uptime.millis() + 60_000);
            assertThat(guard.isAlive()).isTrue();
            TestLauncher.await("its being given up", () -> !guard.isAlive());
            assertThat(guard.ensureAlive()).isTrue();
        }
    }

    @Test
    void the_guard_ignores_the_signals_that_a_terminal_or_a_service_manager_sends() throws Exception {
        try (Guard guard = Guard.start(session, Uptime.millis() + 60_000)) {
            for (String name : List.of("INT", "TERM", "HUP", "QUIT")) {
                signal(name, guard.pid());
            }
            Process command = carrying(session);
            guard.feed(Uptime.millis() - 1);
            TestLauncher.await("the command's end", () -> !command.isAlive());
            assertThat(guard.isAlive()).isTrue();
        }
    }

    @Test
    void what_a_dead_predecessor_left_is_killed_and_counted() throws Exception {
        Process one = carrying(session);
        Process other = carrying(session);
        assertThat(OrphanSweep.killSession(session)).isEqualTo(2);
        assertThat(one.waitFor()).isEqualTo(137);
        assertThat(other.waitFor()).isEqualTo(137);
        assertThat(OrphanSweep.killSession(session)).isZero();
    }

    @Test
    void a_session_id_that_could_mean_something_to_a_shell_is_refused() {
        assertThatThrownBy(() -> Guard.start("a b", 0)).hasMessageContaining("letters, digits");
    }

    @Test
    void a_process_is_known_by_pid_and_start_time() {
        HostIdentity self = HostIdentity.current();

        assertThat(HostIdentity.current()).isEqualTo(self);
        assertThat(HostIdentity.presenceOf(self.pid(), self.startTime())).isEqualTo(ProcessExistence.ALIVE);
        assertThat(HostIdentity.presenceOf(self.pid(), self.startTime() + 1)).isEqualTo(ProcessExistence.GONE);
        assertThat(self.bootId()).hasSize(36);
        assertThat(self.hostName()).isNotBlank();
    }

    private Process daemon(long deadlineInMillis, String... commands) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                GuardedDaemon.class.getName(),
                directory.toString(),
                method.name(),
                session,
                Long.toString(deadlineInMillis)));
        line.addAll(List.of(commands));
        Process daemon = new ProcessBuilder(line)
                .redirectError(directory.resolve("daemon.err").toFile())
                .start();
        processes.add(daemon);
        return daemon;
    }

    /** Like a command that a frozen JVM starts late: in a process session of its own, as all commands are. */
    private Process carrying(String id) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "61");
        builder.environment().putAll(Map.of("ROWLOCK_SESSION", id));
        Process process = builder.start();
        processes.add(process);
        ProcessHandle handle = process.toHandle();
        // One that executes a program just now has no environment for a moment; a guard may end it sooner.
        TestLauncher.await(
                "its sleep",
                () -> !process.isAlive() || handle.info().command().orElse("").endsWith("/sleep"));
        return process;
    }

    private static long guardOf(Process daemon) throws IOException {
        return Long.parseLong(answer(daemon));
    }

    private static String say(Process daemon, String line) {
        try {
            daemon.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            daemon.getOutputStream().flush();
            return answer(daemon);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String answer(Process daemon) throws IOException {
        BufferedReader reader = daemon.inputReader(StandardCharsets.UTF_8);
        String line = reader.readLine();
        if (line == null) {
            throw new AssertionError("the daemon is gone");
        }
        return line;
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("bash", "-c", "kill -" + name + " " + pid)
                        .start()
                        .waitFor())
                .isZero();
    }

    private void awaitPids(int count) {
        for (int i = 0; i < count; i++) {
            File file = directory.resolve("pid" + i).toFile();
            TestLauncher.await(file.toString(), () -> file.length() > 0);
        }
    }

    private String pid(int index) {
        try {
            return Files.readString(directory.resolve("pid" + index)).strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitDeath(Duration patience, int count) {
        for (int i = 0; i < count; i++) {
            String pid = pid(i);
            TestLauncher.await("the end of " + pid, patience, () -> !TestLauncher.isAlive(pid));
        }
    }
}
