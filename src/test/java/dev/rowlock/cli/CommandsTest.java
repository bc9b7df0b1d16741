package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Needs;
import dev.rowlock.cli.call.SettingsOptions;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.report.verify.Accounting;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is typed, what it asks of the rest of Rowlock, and what is said to people who mistype it. */
class CommandsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Asked asked = new Asked();

    /** Notes what commands ask for. */
    private static final class Asked implements Needs, Needs.Embedded {

        final List<String> log = new ArrayList<>();
        RuntimeException failure;

        private void note(String what, Object with) {
            log.add(what + " " + with);
            if (failure != null) {
                throw failure;
            }
        }

        private static String text(SettingsOptions settings) {
            return settings.file() + (settings.embedded() ? " embedded" : "");
        }

        @Override
        public void serve(SettingsOptions settings) {
            note("serve", text(settings));
        }

        @Override
        public String sqlOptions(boolean mariadb) {
            note("options", mariadb ? "mariadb" : "mysql");
            return "[client]\n";
        }

        @Override
        public int verify(SettingsOptions settings, ToIntFunction<Accounting> check) {
            note("verify", text(settings));
            return ExitCode.FAILED;
        }

        @Override
        public List<Map<String, String>> rows(String url, String user, String password, List<String> tables) {
            throw new AssertionError("nobody asks for tables here");
        }

        @Override
        public Needs.Embedded embedded() {
            return this;
        }

        @Override
        public Map<String, String> status(Path config) {
            note("status", String.valueOf(config));
            return new TreeMap<>(Map.of("data", "MariaDB 11.4.5", "used by", "nobody"));
        }

        @Override
        public String stop(Path config) {
            note("stop", String.valueOf(config));
            return "it is stopped";
        }

        @Override
        public void dump(Path config, OutputStream to) {
            note("dump", String.valueOf(config));
            new PrintStream(to, true).print("-- all of it\n");
        }

        @Override
        public String dump(Path config, Path file) {
            note("dump", config + " " + file);
            return "it is dumped";
        }

        @Override
        public String load(Path config, Path file) {
            note("load", config + " " + file);
            return "it is loaded";
        }

        @Override
        public List<String> replaceAdminToken(SettingsOptions settings) {
            note("replace", text(settings));
            return List.of("it is replaced", "and the file is old");
        }
    }

    private int run(String line) {
        List<String> words = line.isBlank() ? List.of() : List.of(line.split(" ", -1));
        Surroundings around = new Surroundings(
                Map.of("HOME", "/nowhere"),
                InputStream.nullInputStream(),
                new PrintStream(out, true),
                new PrintStream(err, true),
                InstantSource.fixed(Instant.EPOCH),
                Set.of(),
                (millis, what) -> () -> {},
                program -> 1);
        return new Commands(() -> asked, "1.2.3", around).run(words);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "server,                                   0, serve null",
        "server --embedded,                        0, serve null embedded",
        "server --embedded --embedded,             0, serve null embedded",
        "server --config a.yaml,                   0, serve a.yaml",
        "server --config=a.yaml --config b.yaml,   0, serve b.yaml",
        "verify,                                   1, verify null",
        "verify --since 7d --config=a.yaml,        1, verify a.yaml",
        "admin-token replace --embedded,           0, replace null embedded",
        "database status --config a.yaml,          0, status a.yaml",
        "database stop,                            0, stop null",
        "database dump,                            0, dump null",
        "database dump --config a.yaml b.sql,      0, dump a.yaml b.sql",
        "database load b.sql,                      0, load null b.sql",
        "sql-options mariadb,                      0, options mariadb",
        "sql-options mysql,                        0, options mysql",
    })
    void a_command_asks_for_what_was_typed(String line, int exitCode, String need) {
        assertThat(run(line)).isEqualTo(exitCode);
        assertThat(asked.log).containsExactly(need);
        assertThat(complained()).doesNotContain("not understood");
    }

    @Test
    void what_is_asked_for_is_said_on_standard_output() {
        run("admin-token replace");
        run("database status");
        run("database dump");
        run("database stop");
        run("sql-options");
        run("version");
        run("--version");

        assertThat(said()).isEqualTo("""
                        it is replaced
                        and the file is old
                        data     MariaDB 11.4.5
                        used by  nobody
                        -- all of it
                        it is stopped
                        [client]
                        rowlock 1.2.3
                        rowlock 1.2.3
                        """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server",
                "sql",
                "sql-options",
                "verify",
                "admin-token",
                "admin-token replace",
                "database",
                "database dump",
                "version",
                "help"
            })
    void every_command_has_help_with_an_example(String command) {
        for (String line : List.of(command + " --help", command + " -h", "help " + command)) {
            out.reset();
            assertThat(run(line)).isZero();
            assertThat(said())
                    .startsWith("usage: rowlock " + command)
                    .contains("\nexample: rowlock " + command, "exit code:")
                    .contains("-h, --help");
        }
        assertThat(complained()).isEmpty();
        assertThat(asked.log).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h"})
    void the_overview_lists_the_commands_for_people(String line) {
        assertThat(run(line)).isZero();
        assertThat(said())
                .startsWith("usage: rowlock ")
                .contains("\n  server ", "\n  sql ", "\n  verify ", "\n  admin-token ", "\n  version ", "\n  help ")
                .doesNotContain("sql-options");
        assertThat(complained()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "vrify,                  rowlock: \"vrify\" is not understood; did you mean verify?",
        "help vrify,             rowlock: \"vrify\" is not understood; did you mean verify?",
        "admin-tokn replace,     rowlock: \"admin-tokn\" is not understood; did you mean admin-token?",
        "admin-token replce,     rowlock admin-token: \"replce\" is not understood; did you mean replace?",
        "help admin-token rplace, rowlock admin-token: \"rplace\" is not understood; did you mean replace?",
        "server --embeded,       rowlock server: \"--embeded\" is not understood; did you mean --embedded?",
        "verify --sinc 7d,       rowlock verify: \"--sinc\" is not understood; did you mean --since?",
    })
    void who_mistypes_is_told_what_was_perhaps_meant(String line, String said) {
        misunderstood(line, said);
    }

    @ParameterizedTest
    @CsvSource({
        "'',                     rowlock: missing required subcommand",
        "admin-token,            rowlock admin-token: missing required subcommand",
        "42,                     rowlock: \"42\" is not understood",
        "--42 server,            rowlock: \"--42\" is not understood",
        "server 42,              rowlock server: \"42\" is not understood",
        "server @42,             rowlock server: \"@42\" is not understood",
        "server --config,        rowlock server: --config needs a value",
        "server --config --embedded, rowlock server: --config needs a value",
        "server --embedded=yes,  rowlock server: option '--embedded' should be specified without 'yes' parameter",
        "admin-token replace 42, rowlock admin-token replace: \"42\" is not understood",
        "plan jobs.yaml,         rowlock plan: missing required option: '--file=FILE|DIR|-'",
        "plan -f,                rowlock plan: --file needs a value",
        "job list --limit abc,   rowlock job list: --limit: \"abc\" is not a whole number",
        "task show abc,          rowlock task show: TASK: \"abc\" is not a whole number",
        "job get a/b/c,          rowlock job get: [NAMESPACE/]NAME: \"a/b/c\" is not namespace/name: must be 1 to 128",
        "job list -o jsno,       rowlock job list: --output: \"jsno\" is none of table",
        "job list --state rest,  rowlock job list: --state: \"rest\" is none of PAUSED",
        "job list --state pasued, rowlock job list: --state: \"pasued\" is not understood; did you mean PAUSED?",
    })
    void who_says_too_much_or_too_little_is_told(String line, String said) {
        misunderstood(line, said);
    }

    @Test
    void what_was_perhaps_meant_is_not_hidden_above_a_list_of_all_commands() {
        run("jobs list");
        assertThat(complained()).doesNotContain("\n  task ").hasLineCount(3);
    }

    private void misunderstood(String line, String said) {
        assertThat(run(line)).isEqualTo(ExitCode.USAGE);
        String command = said.substring(0, said.indexOf(':'));
        assertThat(complained())
                .startsWith(said)
                .contains("\nusage: " + command)
                .endsWith(command + " --help says more\n")
                .doesNotContain("\tat ");
        assertThat(said()).isEmpty();
        assertThat(asked.log).isEmpty();
    }

    @Test
    void the_jar_by_itself_has_no_sql_client() {
        assertThat(run("sql select 1")).isEqualTo(ExitCode.USAGE);
        assertThat(complained())
                .isEqualTo("rowlock sql: scripts/rowlock sql runs the SQL client; the jar by itself does not\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "server --embedded", "verify", "admin-token replace", "sql-options"})
    void a_failure_that_the_operator_can_mend_is_told_without_a_stack_trace(String line) {
        asked.failure = new CommandFailed(ExitCode.CONFIGURATION, List.of("this is wrong", "and that"));

        assertThat(run(line)).isEqualTo(ExitCode.CONFIGURATION);
        assertThat(complained()).isEqualTo("rowlock: this is wrong\nrowlock: and that\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server", "server --embedded", "verify", "admin-token replace"})
    void a_failure_other_than_of_the_settings_names_the_command(String line) {
        asked.failure = new CommandFailed(ExitCode.UNAVAILABLE, "it is not there");

        assertThat(run(line)).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(complained()).isEqualTo("rowlock " + line.replace(" --embedded", "") + ": it is not there\n");
    }

    @Test
    void a_fault_of_our_own_is_told_with_its_stack_trace() {
        asked.failure = new IllegalStateException("no such state");

        assertThat(run("verify")).isEqualTo(ExitCode.BROKEN);
        assertThat(complained()).contains("java.lang.IllegalStateException: no such state", "\tat ");
    }
}
