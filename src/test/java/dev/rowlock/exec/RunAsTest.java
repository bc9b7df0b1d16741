package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import dev.rowlock.exec.process.OrphanSweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as another user. Without root, there is nothing to be seen. */
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class RunAsTest {

    private static final String WHO = "id -un; id -u; id -g; id -Gn; echo $HOME $USER $LOGNAME; pwd";

    @AutoClose
    final TestLauncher commands;

    private final SpawnMethod method;

    RunAsTest(SpawnMethod method) {
        this.method = method;
        commands = new TestLauncher(method);
    }

    @BeforeEach
    void as_root_only() throws IOException {
        assumeThat(RunAs.problem())
                .as("this host lets nobody run as somebody else")
                .isEmpty();
        Files.setPosixFilePermissions(commands.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    static RunOptions as(String user) {
        return new RunOptions(user, null, null, Limits.NONE, CommandShell.BASH, null);
    }

    @Test
    void it_is_that_user_with_its_groups_and_in_its_home() {
        assertThat(said(home(commands.with(as("daemon"), WHO))))
                .isEqualTo("daemon\n1\n1\ndaemon\n/usr/sbin daemon daemon\n/usr/sbin\n");
    }

    @Test
    void a_number_will_do_and_who_has_no_home_is_in_the_root_directory() {
        assertThat(said(home(commands.with(as("65534"), WHO))))
                .isEqualTo("nobody\n65534\n65534\nnogroup\n/ nobody nobody\n/\n");
    }

    @Test
    void a_number_without_a_name_is_nobody_elses() {
        assertThat(said(home(commands.with(as("54321"), "id -u; id -g; id -G; echo $HOME $USER; pwd"))))
                .isEqualTo("54321\n54321\n54321\n/ 54321\n/\n");
    }

    @Test
    void a_locale_that_this_host_lacks_does_not_keep_it_from_running() {
        LaunchSpec spec = commands.with(as("nobody"), "id -un");
        assertThat(said(TestLauncher.environment(spec, Map.of("LC_ALL", "xx_YY.UTF-8", "LANG", "xx_YY"))))
                .endsWith("nobody\n");
    }

    @Test
    void nothing_of_root_is_left() {
        String said = said(commands.with(
                as("nobody"),
                "grep -E '^(Uid|Gid|Groups|CapPrm|CapEff|CapAmb)' /proc/self/status; touch /etc/rowlock-was-here"));
        assertThat(said)
                .containsPattern("Uid:\\s65534\\s65534\\s65534\\s65534")
                .containsPattern("Gid:\\s65534\\s65534\\s65534\\s65534")
                .containsPattern("CapPrm:\\s0+\n")
                .containsPattern("CapEff:\\s0+\n")
                .contains("Permission denied");
    }

    @Test
    void the_job_decides_on_variables_and_the_directory() {
        LaunchSpec spec = TestLauncher.environment(
                commands.with(as("nobody"), "echo $HOME $USER $LOGNAME $TMPDIR; pwd"),
                Map.of("HOME", "/usr", "USER", "me", "TMPDIR", "/var/tmp"));
        assertThat(said(spec)).isEqualTo("/usr me nobody /var/tmp\n" + commands.directory + "\n");
    }

    @Test
    void it_may_open_its_output_again_and_the_file_stays_the_daemons() throws IOException {
        LaunchSpec spec = commands.with(as("nobody"), "echo one; echo two >>/dev/stdout; echo three >/dev/stderr");
        assertThat(said(spec)).isEqualTo("one\ntwo\nthree\n");
        Path output = commands.directory.resolve("output/" + spec.launchId() + ".out");
        assertThat(Files.getAttribute(output, "unix:uid")).isEqualTo(0);
    }

    @Test
    void without_an_output_file_nothing_else_is_given_away() throws IOException {
        LaunchSpec spec = commands.with(as("nobody"), "id -u >proof");
        Files.createDirectory(commands.directory.resolve("output/" + spec.launchId() + ".out"));
        assertThat(commands.run(spec).exitCode()).isZero();
        assertThat(commands.awaitFile("proof")).isEqualTo("65534");
        assertThat(Files.getAttribute(Path.of("/dev/null"), "unix:uid")).isEqualTo(0);
    }

    @Test
    void it_reads_its_text_and_may_open_it_again() {
        RunOptions options = new RunOptions("nobody", null, null, Limits.NONE, CommandShell.BASH, "text");
        assertThat(said(commands.with(options, "cat /dev/stdin; cat"))).isEqualTo("texttext");
    }

    @Test
    void the_limits_are_below_what_it_could_give_itself() {
        Limits limits = new Limits(null, null, 4321, 333);
        RunOptions options = new RunOptions("nobody", "077", -5, limits, CommandShell.SH, null);
        assertThat(said(commands.with(options, "nice; umask; ulimit -n; id -un; echo $0")))
                .isEqualTo("-5\n0077\n4321\nnobody\n/usr/bin/sh\n");
    }

    @Test
    void more_processes_than_it_may_have_are_refused_by_the_kernel() {
        // Not bash, which waits for 15 seconds before it gives up.
        RunOptions options =
                new RunOptions("54322", null, null, new Limits(null, null, null, 3), CommandShell.SH, null);
        String said = said(commands.with(options, "for i in 1 2 3 4 5; do sleep 2 & done; wait"));
        assertThat(said).contains("Cannot fork");
    }

    @Test
    void somebody_whom_the_node_does_not_know_runs_nothing() {
        Ended ended = commands.run(commands.with(as("no-such-user"), "touch ran"));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).isEqualTo("there is no user no-such-user on this node");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_number_that_the_kernel_does_not_take_runs_nothing_and_says_why() {
        Ended ended = commands.run(commands.with(as("4294967295"), "touch ran"));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).startsWith("this node cannot run it as its definition asks: ");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void a_directory_that_is_closed_to_it_is_refused_in_its_name() throws IOException {
        Path closed = Files.createDirectory(
                commands.directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Ended ended = commands.run(TestLauncher.in(closed, commands.with(as("nobody"), "true")));

        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).isEqualTo("the working directory " + closed + " may not be entered by user nobody");
    }

    @Test
    void its_deadline_holds_for_it_too() {
        Ended late = commands.run(TestLauncher.late(commands.with(as("nobody"), "touch ran")));

        assertThat(late.kind()).isEqualTo(ExitKind.TOO_LATE);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void the_gate_holds_though_the_daemons_directory_is_closed_to_others() throws IOException {
        Path output = commands.directory.resolve("output");
        Files.setPosixFilePermissions(output, PosixFilePermissions.fromString("rwx------"));
        its_deadline_holds_for_it_too();
        assertThat(said(commands.with(as("nobody"), "id -un"))).isEqualTo("nobody\n");

        Files.setPosixFilePermissions(output.resolve("gate.sh"), PosixFilePermissions.fromString("rw-------"));
        Ended ended = commands.run(commands.with(as("nobody"), "touch ran"));
        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).contains("Permission denied");
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void variables_of_a_library_are_not_read_by_what_runs_as_root() {
        LaunchSpec spec = TestLauncher.environment(
                commands.with(as("nobody"), "echo $LD_PRELOAD $GCONV_PATH $MALLOC_ARENA_MAX"),
                Map.of("LD_PRELOAD", "/nowhere.so", "GCONV_PATH", "/g", "MALLOC_ARENA_MAX", "1"));
        assertThat(said(spec)).contains("/nowhere.so /g 1\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo $$ >pid; trap '' TERM; while :; do sleep 60; done",
                "(echo $BASHPID >pid; trap '' TERM; while :; do sleep 60; done) & wait",
                "setsid nohup bash -c 'echo $$ >pid; sleep 60; :' >/dev/null 2>&1 & wait",
                "(setsid bash -c 'echo $$ >pid; sleep 60; :' &) ; sleep 60",
                "env -i bash -c 'echo $$ >pid; sleep 60; :' & wait",
                "(env -i setsid bash -c 'echo $$ >pid; sleep 60; :') & wait",
            })
    void whatever_it_has_started_is_found_and_killed(String command) {
        LaunchSpec spec = commands.with(as("nobody"), command);
        commands.launcher.start(spec);
        String pid = commands.awaitFile("pid");
        assertThat(uidOf(pid)).isEqualTo(65534);

        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        Ended ended = commands.nextEnded();
        assertThat(ended.stopped()).as(ended.toString()).isEqualTo(StopCause.REQUEST);
        assertThat(ended.survived()).isFalse();
        assertThat(TestLauncher.isAlive(pid)).isFalse();
    }

    @Test
    void what_it_leaves_behind_is_killed() {
        Ended ended = commands.run(commands.with(
                as("nobody"),
                "setsid nohup bash -c 'echo $$ >pid; sleep 60; :' >/dev/null 2>&1 &"
                        + " while [[ ! -s pid ]]; do sleep 0.01; done"));
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.note()).startsWith("left behind and killed: ");
        assertThat(TestLauncher.isAlive(commands.awaitFile("pid"))).isFalse();
    }

    @Test
    void a_timeout_ends_it() {
        LaunchSpec spec = commands.with(as("nobody"), "sleep 60");
        Ended ended = commands.run(new LaunchSpec(
                spec.launchId(),
                spec.sessionId(),
                spec.command(),
                spec.workdir(),
                spec.environment(),
                spec.options(),
                Duration.ofMillis(300),
                spec.killGrace(),
                spec.deadlineUptimeMillis()));
        assertThat(ended.stopped()).isEqualTo(StopCause.TIMEOUT);
        assertThat(ended.signal()).isEqualTo(15);
    }

    @Test
    void a_sweep_finds_it_by_its_session() {
        commands.launcher.start(commands.with(as("nobody"), "echo $$ >pid; sleep 60; :"));
        String pid = commands.awaitFile("pid");
        assertThat(OrphanSweep.killSession(commands.session)).isPositive();
        assertThat(TestLauncher.isAlive(pid)).isFalse();
        assertThat(commands.nextEnded().signal()).isEqualTo(9);
    }

    private static int uidOf(String pid) {
        try {
            return (int) Files.getAttribute(Path.of("/proc", pid), "unix:uid");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static LaunchSpec home(LaunchSpec spec) {
        return TestLauncher.in(null, spec);
    }

    private String said(LaunchSpec spec) {
        Ended ended = commands.run(spec);
        assertThat(ended.kind()).as(method + ": " + ended.note()).isEqualTo(ExitKind.EXITED);
        return commands.text(spec.launchId());
    }
}
