package dev.rowlock.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code rowlock job …} and {@code rowlock task …} against a real node. */
@Tag("database")
class JobCommandsTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static int jobs;

    /** Versions of a name outlive its job. */
    private String a = "";

    @BeforeEach
    void fresh() {
        a = "ops/a" + ++jobs;
        done("job", "add", a, "--schedule", "0 3 * * *", "--command", "echo hello; exit 3");
    }

    private static Said done(String... words) {
        Said said = cli.run(words);
        assertThat(said.exitCode()).as(said.toString()).isZero();
        return said;
    }

    private JsonNode job() {
        return cli.json("job", "get", a);
    }

    @Test
    void a_job_is_made_of_options_and_a_file(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("job.yaml"), "schedule: '@hourly'\nretry: {max: 2}\ncommand: 'no'\n");

        Said said = done(
                "job",
                "add",
                a,
                "-f",
                file.toString(),
                "--replace",
                "--command",
                "yes",
                "--set",
                "retry.max=3",
                "--set",
                "env.A=1",
                "--set",
                "successExitCodes=[0, 2]");

        assertThat(said.out()).isEmpty();
        assertThat(said.err()).contains("job " + a + " is saved as version 2");
        assertThat(job().path("schedule").asText()).isEqualTo("@hourly");
        assertThat(job().path("command").asText()).isEqualTo("yes");
        assertThat(job().path("retry").path("max").asInt()).isEqualTo(3);
        assertThat(job().path("env").path("A").asText()).isEqualTo("1");
        assertThat(job().path("successExitCodes").get(1).asInt()).isEqualTo(2);
    }

    @Test
    void a_definition_may_come_from_standard_input() {
        Said said = cli.with()
                .input("{\"schedule\": \"@daily\", \"command\": \"x\"}")
                .run("job", "add", a, "-f", "-", "--replace", "-o", "name");

        assertThat(said.out()).isEqualTo(a + "\n");
        assertThat(job().path("schedule").asText()).isEqualTo("@daily");
    }

    @Test
    void what_is_wrong_with_a_job_is_told_field_by_field() {
        Said said = cli.run("job", "add", "ops/b", "--schedule", "61 * * * *", "--set", "timeout=never");

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err().lines())
                .anyMatch(line -> line.startsWith("rowlock job add: schedule "))
                .anyMatch(line -> line.startsWith("rowlock job add: timeout "))
                .anyMatch(line -> line.startsWith("rowlock job add: command "));
        assertThat(cli.run("job", "add", a, "--schedule", "@daily", "--command", "x")
                        .exitCode())
                .as("it is there already")
                .isEqualTo(1);
    }

    @Test
    void a_dry_run_is_checked_by_the_node_and_changes_nothing() {
        Said said = done("job", "add", a, "--replace", "--schedule", "@daily", "--command", "x", "--dry-run");

        assertThat(said.out()).startsWith("would CHANGE " + a + "\n").contains("schedule: 0 3 * * * → @daily");
        assertThat(job().path("version").asInt()).isEqualTo(1);
        assertThat(cli.run("job", "add", "ops/b", "--schedule", "x", "--command", "x", "--dry-run")
                        .exitCode())
                .isEqualTo(1);
    }

    @Test
    void fields_are_changed_and_taken_back() {
        done("job", "set", a, "timeout=30m", "labels.team=ops", "command=echo 3");
        assertThat(job().path("timeout").asText()).isEqualTo("30m");
        assertThat(job().path("labels").path("team").asText()).isEqualTo("ops");

        done("job", "set", a, "timeout=null", "--if-version", "2");
        assertThat(job().path("timeout").isNull()).isTrue();
        assertThat(cli.run("job", "set", a, "timeout=1m", "--if-version", "2").exitCode())
                .isEqualTo(1);
        assertThat(cli.run("job", "set", a, "timeout").exitCode()).isEqualTo(2);
        Said dry = done("job", "set", a, "timeout=1m", "--dry-run");
        assertThat(dry.out()).isEqualTo("would ask for PATCH /api/v1/jobs/" + a + " with {\"timeout\":\"1m\"}\n");
    }

    @Test
    void a_job_is_paused_for_a_while_and_resumed() {
        Said said = done("job", "pause", a, "--until", "2h", "--reason", "the store moves", "-o", "json");
        assertThat(said.err()).matches("job " + a + " is paused until 20.{17} [+-].{5}\n");
        assertThat(said.json().path("pauseReason").asText()).isEqualTo("the store moves");
        assertThat(said.json().path("pausedUntil").isTextual()).isTrue();

        done("job", "resume", a);
        assertThat(job().path("paused").asBoolean()).isFalse();
    }

    @Test
    void several_jobs_are_only_paused_if_somebody_means_it() {
        Said refused = cli.run("job", "pause", "--namespace", "ops");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("add --yes");
        assertThat(job().path("paused").asBoolean()).isFalse();

        assertThat(done("job", "pause", "--namespace", "ops", "--match", a.substring(4), "--yes")
                        .err())
                .contains("1 matching job is paused");
        assertThat(job().path("paused").asBoolean()).isTrue();
        done("job", "resume", "-n", "ops", "--yes");
        assertThat(cli.run("job", "pause").exitCode()).isEqualTo(2);
        assertThat(cli.run("job", "pause", a, "-n", "ops").exitCode()).isEqualTo(2);
    }

    @Test
    void who_sits_at_a_terminal_is_asked() {
        CliNode.Run terminal = cli.with().terminals(Surroundings.Stream.IN, Surroundings.Stream.ERR);

        Said no = terminal.input("n\n").run("job", "delete", a);
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.err())
                .startsWith("job " + a + " is going to be deleted. Go on? [y/N] ")
                .contains("nothing was changed");
        assertThat(terminal.input("").run("job", "delete", a).exitCode()).isEqualTo(1);
        assertThat(job().path("version").asInt()).isEqualTo(1);

        assertThat(terminal.input("yes\n").run("job", "delete", a).exitCode()).isZero();
        assertThat(cli.run("job", "get", a).exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job delete ops/a",
                "job kill ops/a",
                "task kill 1",
                "token revoke x",
                "group delete x",
                "secret delete ops/x",
                "clock accept",
                "retention accept"
            })
    void nothing_dangerous_happens_without_a_word_where_nobody_can_be_asked(String line) {
        Said said = cli.run(line.split(" ", -1));
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err()).contains("add --yes if you mean it");

        Said dry = done((line + " --dry-run").split(" ", -1));
        assertThat(dry.out()).startsWith("would ask for ");
    }

    @Test
    void the_next_fire_times_are_told_where_they_are_meant() {
        Said said = done("job", "next", a, "--count", "2", "--from", "2026-12-01T00:00:00Z", "--utc");

        assertThat(said.lines().get(0)).matches("LOCAL +ZONE +HERE +LEFT");
        assertThat(said.lines().get(1)).contains("2026-12-01T03:00:00").contains("2026-12-01 03:00:00 +00:00");
        assertThat(said.lines()).hasSize(3);
        assertThat(said.err()).contains("03:00");
        assertThat(cli.json("job", "next", a, "--count", "2").path("fireTimes").size())
                .isEqualTo(2);
    }

    @Test
    void why_says_the_sentence_first_and_then_the_steps() {
        Said said = done("job", "why", a, "2020-01-01T03:00:00Z");
        assertThat(said.lines().get(0)).contains(a);
        assertThat(said.lines().get(1)).isEmpty();

        Said ahead = done("job", "why", a);
        assertThat(ahead.lines().get(0)).startsWith("next: ").contains(" (in ");
        assertThat(ahead.out()).contains("VERSION");
        assertThat(cli.json("job", "why", a).path("verdict").isTextual()).isTrue();
        assertThat(cli.run("job", "why", "ops/nothing").exitCode()).isEqualTo(1);
    }

    @Test
    void why_names_the_freeze_that_holds_what_is_due_before_the_last_run() {
        done("job", "set", a, "schedule=* * * * * *");
        done("freeze", "--job", a, "--for", "1h", "--reason", "the move");
        run("exit 0");
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!job().path("hold").isObject() && System.nanoTime() < until) {
            Thread.onSpinWait();
        }

        List<String> lines = done("job", "why", a).lines();
        assertThat(lines.get(0)).startsWith("held: FREEZE: freeze ").endsWith(": the move");
        assertThat(lines.get(1)).startsWith("last: ");
        assertThat(lines.get(2)).startsWith("next: ").endsWith(", but it is held");
        done("job", "delete", a, "--yes");
    }

    @Test
    void versions_are_compared_and_put_in_force_again() {
        done("job", "set", a, "command=true", "schedule=0 4 * * *");

        assertThat(done("job", "versions", a).lines()).hasSize(3);
        assertThat(cli.json("job", "versions", a, "1")
                        .path("definition")
                        .path("schedule")
                        .asText())
                .isEqualTo("0 3 * * *");
        Said diff = cli.run("job", "diff", a, "1", "2");
        assertThat(diff.exitCode()).isEqualTo(1);
        assertThat(diff.out())
                .contains("- schedule: 0 3 * * *\n+ schedule: 0 4 * * *\n")
                .contains("+ fires at ");
        assertThat(done("job", "diff", a, "2", "2").out()).isEmpty();
        assertThat(cli.run("job", "diff", a, "9").exitCode()).isEqualTo(3);
        assertThat(cli.run("job", "diff", a).exitCode()).isEqualTo(2);
        assertThat(cli.run("job", "diff", a, "1", "--token", "wrong").exitCode())
                .isEqualTo(4);

        assertThat(done("job", "rollback", a, "1", "--dry-run").out())
                .contains("- schedule: 0 4 * * *\n+ schedule: 0 3 * * *\n");
        assertThat(job().path("version").asInt()).isEqualTo(2);
        done("job", "rollback", a, "1");
        assertThat(job().path("schedule").asText()).isEqualTo("0 3 * * *");
    }

    @Test
    void a_job_that_is_followed_ends_the_command_as_its_own() {
        Said said = cli.run("job", "run", a, "--follow");

        assertThat(said.exitCode()).isEqualTo(3);
        assertThat(said.out()).isEqualTo("hello\n");
        assertThat(said.err())
                .contains(" of " + a + " is going to run\n")
                .contains(" of " + a + ": FAILED, exit code 3");
        assertThat(cli.run("job", "run", a, "--follow", "--command", "exit 0").exitCode())
                .isZero();
        assertThat(cli.run("job", "run", a, "--follow", "--command", "kill -9 $$")
                        .exitCode())
                .isEqualTo(137);
        assertThat(cli.run("job", "run", "ops/nothing", "--follow").exitCode()).isEqualTo(1);
    }

    @Test
    void a_run_can_differ_and_the_same_key_makes_it_once() {
        String[] run = {
            "job",
            "run",
            a,
            "--command",
            "echo $A",
            "--env",
            "A=b=c",
            "--node",
            "node-a",
            "--overlap",
            "queue",
            "--idempotency-key",
            "k1",
            "-o",
            "name"
        };
        Said first = done(run);
        Said again = done(run);
        String id = first.out().strip();

        assertThat(again.out()).isEqualTo(first.out());
        assertThat(done("task", "logs", "-f", id).out()).isEqualTo("b=c\n");
        assertThat(done("job", "run", a, "--dry-run").out())
                .isEqualTo("would ask for POST /api/v1/jobs/" + a + "/run\n");
    }

    @Test
    void a_run_is_followed_through_its_retries() {
        cli.run(
                "job",
                "add",
                "ops/flaky",
                "--schedule",
                "@manual",
                "--command",
                "echo $ROWLOCK_ATTEMPT; [ $ROWLOCK_ATTEMPT = 2 ]");
        assertThat(cli.run("job", "set", "ops/flaky", "retry.max=2", "retry.backoff=1s")
                        .exitCode())
                .isZero();

        Said said = cli.run("job", "run", "ops/flaky", "--follow");

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).isEqualTo("1\n2\n");
        assertThat(said.err())
                .containsPattern(
                        "FAILED, exit code 1, after \\S+; it is tried again as task \\d+\n.*SUCCEEDED, after \\S+\n");
    }

    @Test
    void a_broadcast_is_followed_with_the_node_in_front_of_each_line() {
        cli.run("job", "add", "ops/everywhere", "--schedule", "@manual", "--command", "echo one; printf two; exit 4");
        assertThat(cli.run("job", "set", "ops/everywhere", "broadcast=true").exitCode())
                .isZero();

        Said said = cli.run("job", "run", "ops/everywhere", "--follow");

        assertThat(said.exitCode()).as(said.err()).isEqualTo(4);
        assertThat(said.out()).matches("(\\S+): one\n\\1: two\n");
        assertThat(said.err()).contains("EXPANDED", "FAILED, exit code 4");
    }

    @Test
    void a_task_is_listed_shown_explained_and_run_again() {
        String id = run("echo one; exit 1");

        assertThat(done("history", a, "--limit", "1", "--outcome", "FAILED", "-o", "name")
                        .out())
                .isEqualTo(id + "\n");
        assertThat(done("task", "list", a, "--since", "1h", "--until", "0s", "-o", "name")
                        .lines())
                .contains(id);
        assertThat(done("task", "list", "--state", "ended", "-n", "ops").lines().get(0))
                .contains("JOB", "TOOK");
        assertThat(done("task", "show", id).out()).contains("outcome:").contains("FAILED");
        assertThat(cli.json("task", "show", id).path("exitCode").asInt()).isEqualTo(1);
        assertThat(done("task", "logs", id).out()).isEqualTo("one\n");
        assertThat(done("task", "why", id).lines().get(0)).contains(a).contains("FAILED");
        assertThat(done("task", "rerun", "--since", "1h", "--job", a, "--dry-run")
                        .err())
                .contains("would run again");
        Said no = cli.with()
                .terminals(Surroundings.Stream.IN, Surroundings.Stream.ERR)
                .input("no\n")
                .run("task", "rerun", "--since", "1h", "--job", a);
        assertThat(no.err())
                .startsWith("1 task is going to run again. Go on? [y/N]")
                .contains("nothing was changed");
        assertThat(cli.json("task", "rerun", "--since", "1h", "--job", a, "--outcome", "failed,lost", "--yes")
                        .path("created")
                        .isEmpty())
                .isFalse();
        assertThat(cli.run("task", "rerun", id).err()).contains("ran it again already", "0 run again");
        done("job", "add", "bare", "--schedule", "@manual", "--command", "true");
        assertThat(done("task", "rerun", "--since", "1h", "--job", "bare", "--dry-run")
                        .err())
                .as("a name alone is of default")
                .contains("0 would run again");
        assertThat(done("job", "stats", "bare").err()).contains("no run of it has succeeded or failed");
        assertThat(cli.run("task", "rerun").exitCode()).isEqualTo(2);
        assertThat(cli.run("task", "rerun", id, "--since", "1h").exitCode()).isEqualTo(2);
    }

    private String run(String command) {
        Said said = cli.run("job", "run", a, "--command", command, "--overlap", "allow", "-o", "name");
        String id = said.out().strip();
        cli.run("task", "logs", "-f", id);
        return id;
    }

    @Test
    void what_executes_is_killed() {
        Said one = done("job", "run", a, "--command", "echo begun; exec sleep 1000", "-o", "name");
        String id = one.out().strip();
        awaitOutput(id);

        assertThat(done("job", "kill", a, "--yes").err()).contains("1 task of " + a + " is asked to end");
        assertThat(done("task", "logs", "-f", id).out()).isEqualTo("begun\n");
        assertThat(cli.json("task", "show", id).path("outcome").asText()).isEqualTo("KILLED");
        assertThat(cli.run("task", "kill", id, "--yes").exitCode())
                .as("it has ended")
                .isEqualTo(1);
    }

    @Test
    void a_retry_that_a_kill_leaves_behind_is_named_with_the_command_that_ends_it() {
        done("job", "set", a, "retry.max=1", "retry.backoff=1h");
        String id = run("exit 1");
        String retry =
                done("task", "list", a, "--cause", "retry", "-o", "name").out().strip();
        assertThat(retry).isNotEqualTo(id).isNotEmpty();

        String said = done("job", "kill", a, "--yes").err();

        assertThat(said).contains("0 tasks of " + a + " are asked to end", "nothing was killed");
        assertThat(said).contains("warning: task " + retry + " (RETRY for ").doesNotContain("/api/v1/");
        assertThat(said).containsPattern("; rowlock task kill " + retry + " ends it\\n");
        done("task", "kill", retry, "--yes");
        assertThat(done("job", "kill", a, "--yes").err()).doesNotContain("rowlock task kill");
    }

    @Test
    void remedies_are_commands() {
        String group = cli.run("job", "set", a, "group=nowhere").err();
        String secret = cli.run("job", "set", a, "secretEnv.PW=none").err();
        cli.with().input("a long value").run("secret", "set", "ops/used");
        done("job", "set", a, "secretEnv.PW=used");
        String used = cli.run("secret", "delete", "ops/used", "--yes").err();
        String denied = cli.run("job", "list", "--token", "not-a-token").err();
        String moved =
                cli.run("job", "set", a, "timeout=1m", "--if-version", "77").err();

        assertThat(group).contains("there is no group 'nowhere'; create it with rowlock group set nowhere and a limit");
        assertThat(secret).contains("there is no secret ops/none; create it with rowlock secret set ops/none, or name");
        assertThat(used).contains("or delete it with --force, and");
        assertThat(denied).contains("the token is not valid\n");
        assertThat(moved).contains("not at the one named by --if-version; read it again");
        assertThat(List.of(group, secret, used, denied, moved))
                .allSatisfy(said -> assertThat(said).doesNotContain("/api/v1/", "=true", "Authorization", "If-Match"));
        done("job", "set", a, "secretEnv.PW=null");
        done("secret", "delete", "ops/used", "--yes");
    }

    @Test
    void what_is_left_out_of_a_list_is_said_where_the_list_is_explained() {
        assertThat(cli.run("history", "--help").out().replaceAll("\\s+", " "))
                .contains(
                        "What an edit or a deletion took back before its fire time is left out; with --withdrawn, it");
        assertThat(cli.run("task", "list", "--help").out()).contains("--withdrawn, it");
    }

    private static void awaitOutput(String id) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (cli.run("task", "logs", id).out().isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    @Test
    void how_a_job_fares_is_told() {
        run("exit 0");

        assertThat(done("job", "stats", a, "--days", "2").out()).contains("DAY").contains("total");
        assertThat(cli.json("job", "stats", a).path("total").path("runs").isNumber())
                .isTrue();
        assertThat(done("job", "release", a).err()).contains(a);
        assertThat(done("job", "reschedule", a).err()).contains(a);
    }

    @ParameterizedTest
    @CsvSource({
        "task show 999999, 1, no task",
        "task show x, 2, x",
        "task logs 999999, 1, no task",
        "task why 999999, 1, no task",
        "history --outcome GOOD, 1, outcome",
        "history ops/nothing, 1, no such job",
        "job stats ops/nothing, 1, no job",
        "job rollback ops/a 77, 1, version",
        "job run ops/a --overlap perhaps, 1, overlap",
    })
    void what_is_not_there_is_said(String line, int exitCode, String why) {
        Said said = cli.run(line.replace("ops/a", a).split(" ", -1));

        assertThat(said.err()).contains(why);
        assertThat(said.exitCode()).isEqualTo(exitCode);
        assertThat(said.out()).isEmpty();
    }
}
