package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Command;
import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import dev.rowlock.exec.Launcher.ProcessStarter;
import dev.rowlock.exec.process.ControlGroups;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job asks for beyond a command, as the command sees it. */
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class RunOptionsTest {

    @AutoClose
    final TestLauncher commands;

    private final SpawnMethod method;

    RunOptionsTest(SpawnMethod method) {
        this.method = method;
        commands = new TestLauncher(method);
    }

    @Test
    void the_umask() {
        assertThat(said(new RunOptions(null, "027", null, Limits.NONE, CommandShell.BASH, null), "umask"))
                .isEqualTo("0027\n");
    }

    @Test
    void the_niceness_is_that_of_the_command_whatever_the_daemons() {
        RunOptions options = new RunOptions(null, null, 7, Limits.NONE, CommandShell.BASH, null);
        assertThat(said(options, "nice")).isEqualTo("7\n");
    }

    @Test
    void a_locale_that_this_host_lacks_is_no_reason_to_refuse_one() {
        RunOptions options = new RunOptions(null, null, 7, Limits.NONE, CommandShell.BASH, null);
        Map<String, String> locale = Map.of("LC_ALL", "xx_YY.UTF-8");
        Ended ended = commands.run(TestLauncher.environment(commands.with(options, "nice; echo $LC_ALL"), locale));

        assertThat(ended.exitCode()).as(commands.text(ended.launchId())).isZero();
        assertThat(commands.text(ended.launchId())).endsWith("7\nxx_YY.UTF-8\n");
    }

    @Test
    void the_limits_that_the_kernel_keeps_for_each_process() {
        Limits limits = new Limits(Duration.ofSeconds(90), null, 77, 4321);
        assertThat(said(limited(limits), "ulimit -St; ulimit -Ht; ulimit -Sn; ulimit -Hn; ulimit -Su; ulimit -Hu"))
                .isEqualTo("90\n95\n77\n77\n4321\n4321\n");
    }

    /** Java raises the limit of its own process, and what it starts inherits that. */
    @Test
    void a_command_may_open_as_many_files_as_its_host_lets_it_unless_its_job_says_how_many() {
        String said = "ulimit -Sn; [ $(ulimit -Hn) -gt 321 ] && echo more";
        try (TestLauncher hosts =
                new TestLauncher(Gate.WITHIN, new ProcessSignals(new ProcFs()), this::withOpenFiles)) {
            Ended plain = hosts.run(said);
            assertThat(hosts.text(plain.launchId())).isEqualTo("321\nmore\n");
            Ended nice = hosts.run(hosts.with(new RunOptions(null, null, 7, Limits.NONE, CommandShell.SH, null), said));
            assertThat(hosts.text(nice.launchId())).isEqualTo("321\nmore\n");
            Ended limited = hosts.run(hosts.with(limited(new Limits(null, null, 77, null)), "ulimit -Sn; ulimit -Hn"));
            assertThat(hosts.text(limited.launchId())).isEqualTo("77\n77\n");
        }
    }

    private ProcessStarter withOpenFiles(Path directory) {
        try {
            return new Shell(directory.resolve("gate.sh"), method, ControlGroups.ofThisProcess(), "321");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void memory_is_limited_and_it_is_said_how() {
        Limits limits = new Limits(null, 256L << 20, null, null);
        Ended ended =
                commands.run(commands.with(limited(limits), "ulimit -v; x=$(head -c 400000000 /dev/zero | tail)"));

        assertThat(ended.memory()).startsWith("memory was limited ");
        if (ended.memory().contains("address space")) {
            assertThat(commands.text(ended.launchId())).startsWith("262144\n").contains("memory");
        }
        assertThat(ended.exitCode()).isNotZero();
    }

    @Test
    void without_a_limit_nothing_is_said_of_memory() {
        assertThat(commands.run("true").memory()).isNull();
    }

    @Test
    void who_uses_too_much_cpu_time_is_ended_and_it_is_said() {
        Limits limits = new Limits(Duration.ofSeconds(1), null, null, null);
        Ended ended = commands.run(commands.with(limited(limits), "while :; do :; done"));

        assertThat(ended.signal()).isEqualTo(24);
        assertThat(ended.stopped()).isNull();
        assertThat(ended.note()).isEqualTo("a process used more CPU time than its limit of 1s");
    }

    @Test
    void too_many_open_files_are_the_commands_own_failure() {
        Limits limits = new Limits(null, null, 16, null);
        Ended ended =
                commands.run(commands.with(limited(limits), "for i in {10..40}; do eval \"exec $i</dev/null\"; done"));

        assertThat(ended.kind()).isEqualTo(ExitKind.EXITED);
        assertThat(commands.text(ended.launchId())).contains("Bad file descriptor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "one line", "two\nlines\n", "ends with blanks \n\n\n", "äöü € 𝄞 '\"$x\\"})
    void standard_input_is_the_text_and_nothing_of_it_stays_on_the_disk(String text) {
        RunOptions options = new RunOptions(null, null, null, Limits.NONE, CommandShell.BASH, text);
        assertThat(said(options, "cat; ls " + commands.directory + "/output | grep -c stdin >&2"))
                .isEqualTo(text + "0\n");
    }

    @Test
    void standard_input_of_64_kib_fits_and_nobody_need_read_it() {
        RunOptions options = new RunOptions(null, null, null, Limits.NONE, CommandShell.BASH, "x".repeat(65_536));
        assertThat(said(options, "wc -c")).isEqualTo("65536\n");
        assertThat(commands.run(commands.with(options, "exit 4")).exitCode()).isEqualTo(4);
    }

    /** As by whoever frees space. */
    @Test
    void commands_start_although_somebody_has_deleted_all_files_among_their_outputs() throws IOException {
        assertThat(commands.run("exit 3").exitCode()).isEqualTo(3);
        Files.delete(commands.directory.resolve("output/gate.sh"));

        assertThat(commands.run("exit 4").exitCode()).isEqualTo(4);
    }

    @Test
    void a_host_that_cannot_keep_the_text_has_refused_the_start() throws IOException {
        RunOptions options = new RunOptions(null, null, null, Limits.NONE, CommandShell.BASH, "text");
        LaunchSpec spec = commands.with(options, "touch ran");
        Files.createDirectories(commands.directory.resolve("output/" + spec.launchId() + ".stdin/taken"));

        Ended ended = commands.run(spec);

        assertThat(ended.kind()).isEqualTo(ExitKind.HOST_REFUSED);
        assertThat(ended.note()).startsWith("its standard input cannot be written to ");
    }

    @Test
    void what_never_began_leaves_no_text_behind() {
        RunOptions options = new RunOptions(null, null, null, Limits.NONE, CommandShell.BASH, "secret");
        Ended ended = commands.run(TestLauncher.late(commands.with(options, "touch ran")));

        assertThat(ended.kind()).isEqualTo(ExitKind.TOO_LATE);
        TestLauncher.await("no text", () -> {
            String[] left = commands.directory.resolve("output").toFile().list();
            return left != null && List.of(left).equals(List.of("gate.sh"));
        });
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void sh_executes_what_bash_would_not() {
        RunOptions options = new RunOptions(null, null, null, Limits.NONE, CommandShell.SH, null);
        assertThat(said(options, "echo \"<$BASH_VERSION>\" $0; readlink /proc/$$/exe; echo 'it''s'"))
                .matches("<> /usr/bin/sh\n/.*sh\nits\n");
    }

    @Test
    void without_a_shell_the_arguments_arrive_word_for_word() {
        List<String> line = List.of("printf", "<%s>", "a b", "", "$HOME `id`", "*", "'\"\\", "ü€", "-n", "x\ny");
        assertThat(said(plain(), Command.of(line))).isEqualTo("<a b><><$HOME `id`><*><'\"\\><ü€><-n><x\ny>");
    }

    @Test
    void without_a_shell_the_program_is_found_in_the_path_of_the_job() {
        LaunchSpec spec = commands.with(plain(), Command.of(List.of("env")));
        assertThat(commands.run(spec).exitCode()).isZero();
        assertThat(commands.text(spec.launchId()))
                .contains("ROWLOCK_LAUNCH_ID=" + spec.launchId(), "LANG=C.UTF-8")
                .doesNotContain("GATE", "BASH_ENV");

        Ended missing = commands.run(commands.with(plain(), Command.of(List.of("no-such-program", "-x"))));
        assertThat(missing.exitCode()).isEqualTo(127);
        assertThat(commands.text(missing.launchId())).contains("no-such-program: not found");
    }

    @Test
    void the_variables_that_sway_bash_reach_a_program_without_one() {
        LaunchSpec spec = TestLauncher.environment(
                commands.with(plain(), Command.of(List.of("printenv", "ENV"))), Map.of("ENV", "it's"));
        assertThat(commands.run(spec).exitCode()).isZero();
        assertThat(commands.text(spec.launchId())).isEqualTo("it's\n");
    }

    @Test
    void a_command_with_options_means_what_it_means_without() {
        RunOptions options = new RunOptions(null, "022", 0, new Limits(null, null, 1024, null), CommandShell.BASH, "");
        String command = "compgen -v | grep -iE 'gate|bash_env'; echo $0 $# $- $LINENO; env | sort"
                + " | grep -v -e ^ROWLOCK_LAUNCH -e ^_= -e ^SHLVL; pwd; nosuchcommand\nnosuchcommand";
        assertThat(said(options, command)).isEqualTo(said(RunOptions.NONE, command));
    }

    @Test
    void nothing_is_run_where_a_limit_cannot_be_given() {
        Limits limits = new Limits(null, null, 1_048_576, null);
        LaunchSpec spec = commands.with(limited(limits), "touch ran");
        Ended ended = commands.run(spec);
        if (ended.kind() == ExitKind.EXITED) { // the kernel of this host allows as many
            assertThat(commands.directory.resolve("ran")).exists();
        } else {
            assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
            assertThat(ended.note()).contains("limits.openFiles is more than this node may allow");
            assertThat(commands.directory.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void a_working_directory_is_entered_and_refused_as_ever() {
        LaunchSpec spec =
                TestLauncher.in(Path.of("/nowhere"), commands.with(limited(new Limits(null, null, 99, null)), "true"));
        Ended ended = commands.run(spec);
        assertThat(ended.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(ended.note()).isEqualTo("the working directory /nowhere does not exist");
    }

    /** As happens when a job is changed after a run with a command of its own was asked for. */
    @Test
    void a_command_that_does_not_go_with_the_shell_is_not_run() {
        Ended text = commands.run(commands.with(plain(), Command.of("touch ran")));
        assertThat(text.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(text.note()).isEqualTo("its command is for a shell, but the job has none by now");

        Ended list = commands.run(commands.with(RunOptions.NONE, Command.of(List.of("touch", "ran"))));
        assertThat(list.kind()).isEqualTo(ExitKind.NOT_STARTED);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    private static RunOptions plain() {
        return new RunOptions(null, null, null, Limits.NONE, CommandShell.NONE, null);
    }

    private static RunOptions limited(Limits limits) {
        return new RunOptions(null, null, null, limits, CommandShell.BASH, null);
    }

    private String said(RunOptions options, String command) {
        return said(options, Command.of(command));
    }

    private String said(RunOptions options, Command command) {
        LaunchSpec spec = commands.with(options, command);
        Ended ended = commands.run(spec);
        @Nullable String note = ended.note();
        assertThat(ended.kind()).as(note).isEqualTo(ExitKind.EXITED);
        return commands.text(spec.launchId());
    }
}
