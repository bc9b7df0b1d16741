package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code rowlock verify} as it is typed: what it says, and its exit codes. */
@Tag("database")
class VerificationTest {

    private static final String MINUTELY = "{\"namespace\": \"default\", \"name\": \"j\", \"schedule\": \"* * * * *\","
            + " \"command\": \"true\", \"zone\": \"UTC\"}";

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @RegisterExtension
    final TestDatabase untouched = TestDatabase.withoutTables();

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int verify(String... args) {
        return verify(
                Map.of(
                        "ROWLOCK_HOME", home.toString(),
                        "ROWLOCK_DATABASE_URL", server.url(),
                        "ROWLOCK_DATABASE_USER", server.user(),
                        "ROWLOCK_DATABASE_PASSWORD", server.password()),
                args);
    }

    private int verify(Map<String, String> environment, String... args) {
        List<String> words = new ArrayList<>(List.of("verify"));
        words.addAll(List.of(args));
        return Main.run(words, environment, new PrintStream(out, true), new PrintStream(err, true));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Rows migrated() {
        return new Rows(server);
    }

    /** A job of each minute since an hour ago, whose cursor is ahead, and nothing in history. */
    private void jobWithoutHistory(Rows rows) {
        long job = rows.job("j", MINUTELY);
        rows.task(job, 0, true);
        rows.run(
                "update live_task set fire_time = date_format(fire_time + interval 1 minute, '%Y-%m-%d %H:%i:00'), due_at ="
                        + " fire_time");
        rows.run("update job_version set valid_from = date_format(valid_from - interval 1 hour, '%Y-%m-%d %H:%i:30')");
    }

    @Test
    void what_adds_up_is_said_in_one_line() {
        migrated();

        assertThat(verify()).isZero();
        assertThat(said())
                .isEqualTo("0 jobs: 0 fire times in history, 0 live, and 0 cancelled ahead of their time by a change:"
                        + " nothing was asked for\n");
    }

    @Test
    void what_is_missing_is_said_with_its_neighbours_and_what_to_look_at() {
        jobWithoutHistory(migrated());

        assertThat(verify()).isEqualTo(1);
        assertThat(said())
                .contains("default/j (job 1): does NOT add up\n")
                .containsPattern(
                        "  \\S+Z to \\S+Z: \\d+ fire times missing: asked for, but neither in history nor a live"
                                + " task\n")
                .contains("      before: nothing\n")
                .containsPattern("      after:  task \\d+, \\S+Z, live, IDLE with the cursor, version 1\n")
                .contains("look at: select * from task_history where namespace = 'default' and job = 'j' and fire_time"
                        + " between")
                .endsWith("1 job: 0 fire times in history, 1 live, and 0 cancelled ahead of their time by a change:"
                        + " 1 job does NOT add up\n");
    }

    @Test
    void a_window_and_a_job_can_be_named() {
        jobWithoutHistory(migrated());

        assertThat(verify("--since", "0s")).isZero();
        assertThat(verify("--since=10m", "--job", "default/j")).isEqualTo(1);
        assertThat(verify("--until", "2020-01-01T00:00:00Z", "--job=j", "--verbose"))
                .isZero();
        assertThat(said()).contains("default/j (job 1): 0 in history, 0 live, 0 cancelled");
    }

    @ParameterizedTest
    @CsvSource({
        "--since lately, is neither a time",
        "--since, needs a value",
        "--until=1x, is neither a time",
        "--job a/b/c, is not namespace/name",
        "--all, is not understood",
        "--verbose=1, '''--verbose'' should be specified without'",
        "jobs, is not understood",
    })
    void what_is_not_understood_is_a_mistake_of_usage(String args, String why) {
        assertThat(verify(args.split(" "))).isEqualTo(2);
        assertThat(complained()).contains(why).contains("usage: rowlock verify");
    }

    @Test
    void a_job_that_never_was_is_a_mistake_of_usage() {
        migrated();

        assertThat(verify("--job", "default/nobody")).isEqualTo(2);
        assertThat(complained()).contains("there is no job default/nobody");
    }

    @Test
    void help_says_what_the_exit_codes_mean() {
        assertThat(verify("--help")).isZero();
        assertThat(said())
                .contains("  0    it adds up", "  1    it does not", "  2    not understood, or no such job")
                .contains("  69   the database is not there", "  78   the settings are wrong");
    }

    @Test
    void a_database_that_is_away_or_not_ours_is_said_to_be() {
        assertThat(verify(Map.of(
                        "ROWLOCK_HOME", home.toString(),
                        "ROWLOCK_DATABASE_URL", untouched.url(),
                        "ROWLOCK_DATABASE_USER", untouched.user(),
                        "ROWLOCK_DATABASE_PASSWORD", untouched.password())))
                .isEqualTo(69);
        assertThat(complained()).contains("has a node ever been started on it?");

        assertThat(verify(Map.of(
                        "ROWLOCK_HOME", home.toString(),
                        "ROWLOCK_DATABASE_URL", "jdbc:mysql://127.0.0.1:1/rowlock",
                        "ROWLOCK_DATABASE_USER", "anybody")))
                .isEqualTo(69);
        assertThat(complained()).contains("the database is not available");
    }

    @Test
    void an_account_that_is_refused_and_a_database_that_is_missing_are_told_apart() {
        String missing = server.url().replaceFirst("(//[^/]*/)[^?]*", "$1no_such_database");

        assertThat(verify(Map.of(
                        "ROWLOCK_HOME",
                        home.toString(),
                        "ROWLOCK_DATABASE_URL",
                        server.url(),
                        "ROWLOCK_DATABASE_USER",
                        "nobody_at_all",
                        "ROWLOCK_DATABASE_PASSWORD",
                        "wrong")))
                .isEqualTo(69);
        assertThat(complained())
                .startsWith("rowlock verify: the database does not let the account in: ")
                .contains("127.0.0.1:", " refuses the account nobody_at_all", "check database.user")
                .doesNotContain("node");
        err.reset();
        assertThat(verify(Map.of(
                        "ROWLOCK_HOME", home.toString(),
                        "ROWLOCK_DATABASE_URL", missing,
                        "ROWLOCK_DATABASE_USER", server.user(),
                        "ROWLOCK_DATABASE_PASSWORD", server.password())))
                .isEqualTo(69);
        assertThat(complained())
                .startsWith("rowlock verify: the database does not exist: ")
                .contains("no_such_database", "create database")
                .doesNotContain("refuses");
    }

    @Test
    void without_a_database_nothing_is_made() {
        assertThat(verify(Map.of("ROWLOCK_HOME", home.toString()))).isEqualTo(69);
        assertThat(complained()).contains("there is no embedded one under " + home.resolve("data/mariadb"));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void wrong_settings_are_named() {
        assertThat(verify(Map.of("ROWLOCK_HOME", home.toString(), "ROWLOCK_HTTP_PORT", "many")))
                .isEqualTo(78);
        assertThat(complained()).contains("ROWLOCK_HTTP_PORT");
    }
}
