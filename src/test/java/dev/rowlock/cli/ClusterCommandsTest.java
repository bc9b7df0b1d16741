package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.nodes.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes, groups, secrets, tokens, and what is told of all of it, against a real node. */
@Tag("database")
class ClusterCommandsTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static Said done(String... words) {
        Said said = cli.run(words);
        assertThat(said.exitCode()).as(said.toString()).isZero();
        return said;
    }

    @Test
    void nodes_are_listed_drained_labelled_and_set() {
        assertThat(done("node", "list").lines()).hasSize(2).last().asString().matches("node-a +ALIVE +0 +64 .*");
        assertThat(done("node", "list", "-o", "name").out()).isEqualTo("node-a\n");
        assertThat(cli.json("node", "list").path("self").asText()).isEqualTo("node-a");
        assertThat(done("node", "list", "--all", "-o", "wide").lines().get(0)).contains("SKEW MS", "REASON");

        assertThat(done("node", "drain", "node-a").err()).startsWith("node node-a starts nothing");
        assertThat(done("node", "undrain", "node-a", "-o", "json")
                        .json()
                        .path("drained")
                        .asBoolean())
                .isFalse();
        done("node", "label", "node-a", "role=db", "spot-");
        assertThat(labels()).isEqualTo("{\"role\":\"db\"}");
        assertThat(done("node", "set", "node-a", "--capacity", "3").err())
                .isEqualTo("node node-a executes 3 commands at a time at most, within 2s\n");
        assertThat(done("node", "set", "node-a", "--reset", "-o", "json")
                        .json()
                        .path("capacity")
                        .asInt())
                .isEqualTo(64);
        assertThat(labels()).isEqualTo("{}");
        assertThat(done("node", "drain", "node-a", "--dry-run").out())
                .isEqualTo("would ask for POST /api/v1/cluster/nodes/node-a/drain\n");
    }

    @Test
    void a_job_is_bound_to_a_node_by_the_label_of_its_name() {
        assertThat(cli.run("job", "add", "ops/here", "--schedule", "@manual", "--command", "true")
                        .exitCode())
                .isZero();

        assertThat(cli.run("job", "set", "ops/here", "nodes=rowlock.dev/node=node-a")
                        .err())
                .doesNotContain("warning");
        assertThat(cli.run("job", "set", "ops/here", "nodes=rowlock.dev/node=node-b")
                        .err())
                .contains("no node that takes work matches rowlock.dev/node=node-b");
        assertThat(cli.run("node", "label", "node-a", "rowlock.dev/node=x").err())
                .contains("each node sets itself");
    }

    @Test
    void a_drained_node_is_waited_for_until_its_commands_have_ended() throws Exception {
        done("job", "add", "ops/slow", "--schedule", "@manual", "--command", "sleep 1");
        String id = done("job", "run", "ops/slow", "-o", "name").out().strip();
        Until.holds(
                Duration.ofSeconds(60),
                "the start of " + id,
                () -> cli.json("task", "show", id).path("startedAt").isTextual());

        Said said = done("node", "drain", "node-a", "--wait");

        assertThat(cli.json("task", "show", id).path("outcome").asText()).isEqualTo("SUCCEEDED");
        assertThat(said.err()).startsWith("node node-a starts nothing").endsWith("nothing runs on node-a any more\n");
        done("node", "undrain", "node-a");
        Until.holds(
                Duration.ofSeconds(60),
                "that node-a takes work",
                () -> done("node", "list").lines().get(1).matches("node-a +ALIVE +0 .*"));
    }

    private static String labels() {
        String labels =
                cli.json("node", "list").path("sessions").get(0).path("labels").toString();
        assertThat(labels).contains("\"rowlock.dev/host\":\"").contains("\"rowlock.dev/node\":\"node-a\"");
        return labels.replaceAll("\"rowlock[.]dev/[^,}]*,?", "").replace(",}", "}");
    }

    @Test
    void groups_are_made_changed_shown_and_deleted() {
        assertThat(done("group", "set", "warehouse", "--limit", "4").err()).contains("group warehouse is made");
        assertThat(done("group", "set", "warehouse", "--description", "it is small")
                        .err())
                .contains("group warehouse is changed");
        assertThat(done("group", "list").lines()).last().asString().matches("warehouse +0 +4 +0 +it is small");
        assertThat(done("group", "get", "warehouse").out()).contains("limit:").contains("TASK");
        assertThat(cli.json("group", "get", "warehouse").path("limit").asInt()).isEqualTo(4);
        done("group", "delete", "warehouse", "--yes");
        assertThat(cli.json("group", "list").path("items").isEmpty()).isTrue();
    }

    /** Replaced characters would change a password unseen. */
    @Test
    void a_secret_that_is_no_text_is_refused(@TempDir Path dir) throws IOException {
        byte[] latin = "p\u00e4ssword".getBytes(StandardCharsets.ISO_8859_1);
        Path file = Files.write(dir.resolve("value"), latin);

        assertThat(cli.with().input(latin).run("secret", "set", "ops/latin").err())
                .isEqualTo("rowlock secret set: - cannot be read: this is no text in UTF-8\n");
        assertThat(cli.run("secret", "set", "ops/latin", "-f", file.toString()).err())
                .isEqualTo("rowlock secret set: " + file + " cannot be read: this is no text in UTF-8\n");
        assertThat(cli.run("secret", "get", "ops/latin").exitCode()).isEqualTo(1);
    }

    @Test
    void the_value_of_a_secret_comes_from_a_file_or_from_standard_input(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("value"), "correct horse\n");

        assertThat(done("secret", "set", "ops/db", "-f", file.toString()).err()).contains("secret ops/db is stored");
        assertThat(cli.with()
                        .input("another value")
                        .run("secret", "set", "ops/db")
                        .exitCode())
                .isZero();
        assertThat(done("secret", "get", "ops/db").out()).contains("version:").doesNotContain("another");
        assertThat(done("secret", "list", "ops", "-o", "name").out()).isEqualTo("ops/db\n");
        assertThat(done("secret", "list").lines()).hasSize(2);
        assertThat(done("secret", "rotate").err()).contains("secrets are encrypted under key");
        assertThat(done("secret", "set", "ops/db", "--dry-run").out()).contains("the value from standard input");
        done("secret", "delete", "ops/db", "--force", "--yes");
        assertThat(cli.run("secret", "set", "ops/db", "value").exitCode()).isEqualTo(2);
        assertThat(cli.run("secret", "set", "ops/db", "-f", "/nothing").exitCode())
                .isEqualTo(1);
    }

    @Test
    void a_token_is_written_alone_so_that_it_can_go_into_a_file() {
        Said made = done("token", "add", "deploy", "--role", "viewer", "-n", "ops", "--expires-in", "1d");
        String token = made.out().strip();

        assertThat(made.lines()).hasSize(1);
        assertThat(made.err()).contains("it is shown this once");
        assertThat(cli.run("job", "list", "--token", token).exitCode()).isZero();
        Said refused = cli.run("job", "pause", "ops/a", "--token", token);
        assertThat(refused.exitCode()).isEqualTo(4);
        assertThat(refused.err()).startsWith("rowlock job pause: ");
        assertThat(done("token", "list").out()).contains("deploy").doesNotContain(token);
        assertThat(done("token", "get", "deploy").out()).contains("viewer");
        String next = done("token", "rotate", "deploy", "--overlap", "0s").out().strip();
        assertThat(next).isNotEqualTo(token);
        assertThat(done("token", "rotate", "deploy", "-o", "json")
                        .json()
                        .path("token")
                        .isTextual())
                .isTrue();
        done("token", "revoke", "deploy", "-y");
        assertThat(cli.run("token", "get", "deploy").exitCode()).isEqualTo(1);
        assertThat(cli.run("token", "add", "x").exitCode()).isEqualTo(2);
    }

    @Test
    void what_was_changed_is_told_by_the_audit() {
        done("group", "set", "audited", "--limit", "1");

        assertThat(done("audit", "--kind", "group", "--name", "audited", "--since", "1h")
                        .lines())
                .last()
                .asString()
                .contains("admin", "create", "group", "audited");
        assertThat(cli.json("audit", "--who", "admin", "--action", "create", "--limit", "1")
                        .path("items")
                        .size())
                .isEqualTo(1);
        done("group", "delete", "audited", "--yes");
    }

    @Test
    void reports_say_whether_all_is_well_and_what_lies_ahead() {
        done("job", "add", "reports/a", "--schedule", "@hourly", "--command", "true", "--replace");

        long end = System.nanoTime() + 60_000_000_000L;
        while (!cli.json("overview").has("failing")) { // a busy database has not answered yet
            assertThat(System.nanoTime()).isLessThan(end);
        }
        assertThat(done("overview").out()).startsWith("database  ").contains("node-a", "failing", "verified");
        assertThat(cli.json("overview").path("database").isObject()).isTrue();
        assertThat(done("forecast", "--hours", "2").lines().get(0)).matches("FROM +STARTS +SKIPPED +RUNNING P50 +P95");
        assertThat(cli.json("forecast", "-n", "reports", "--by", "minute", "--hours", "1")
                        .path("jobs")
                        .asInt())
                .isEqualTo(1);
        assertThat(cli.run("forecast", "--hours", "1000").exitCode()).isEqualTo(1);
        done("job", "delete", "reports/a", "--yes");
    }

    @Test
    void events_are_shown_as_they_happen() {
        done("job", "add", "events/a", "--schedule", "@every 1s", "--command", "true", "--replace");

        Said said = done("events", "events/a", "--count", "2", "-o", "json");
        assertThat(said.lines()).hasSize(2).allSatisfy(line -> {
            JsonNode event = new Said(0, line, "").json();
            assertThat(event.path("event").asText()).isNotEmpty();
            assertThat(event.path("data").path("namespace").asText()).isEqualTo("events");
        });
        assertThat(done("events", "-n", "events", "--count", "1").out()).contains("events/a");
        done("job", "delete", "events/a", "--yes");
    }

    @Test
    void a_schedule_is_explained_without_a_node() {
        CliNode.Run alone = cli.with().without("ROWLOCK_URL").without("ROWLOCK_TOKEN");

        Said said = alone.run(
                "schedule",
                "0 3 * * 1-5",
                "--zone",
                "Europe/Berlin",
                "--count",
                "2",
                "--from",
                "2026-12-01T00:00:00Z",
                "--utc");
        assertThat(said.exitCode()).isZero();
        assertThat(said.lines().get(0)).contains("03:00").contains("Friday");
        assertThat(said.out()).contains("2026-12-01T03:00:00+01:00").contains("2026-12-01 02:00:00 +00:00");
        assertThat(alone.run("schedule", "@hourly", "-o", "name", "--count", "3")
                        .lines())
                .hasSize(3);
        assertThat(alone.run("schedule", "61 * * * *").exitCode()).isEqualTo(2);
        assertThat(alone.run("schedule", "@hourly", "--zone", "Mars").err()).contains("is not a time zone");
        assertThat(alone.run("schedule").exitCode()).isEqualTo(2);
    }

    @Test
    void a_schedule_is_told_as_the_api_tells_it() {
        String[] words = {"schedule", "*/7 3 L * *", "--from", "2026-12-01T00:00:00Z", "--count", "2", "-o", "json"};
        JsonNode here = cli.run(words).json();
        JsonNode there = new Said(
                        0,
                        cli.node()
                                .send(
                                        "POST",
                                        "/api/v1/schedules/preview",
                                        "{\"schedule\": \"*/7 3 L * *\", \"from\": \"2026-12-01T00:00:00Z\","
                                                + " \"count\": 2}")
                                .body(),
                        "")
                .json();

        assertThat(here).isEqualTo(there);
    }

    @Test
    void contexts_are_kept_for_their_owner_alone(@TempDir Path home) throws IOException {
        CliNode.Run run = cli.with()
                .without("ROWLOCK_URL")
                .without("ROWLOCK_TOKEN")
                .environment("XDG_CONFIG_HOME", home.toString());
        Path file = home.resolve("rowlock/config.yaml");

        assertThat(run.run("config", "get-contexts").lines()).hasSize(1);
        assertThat(run.run("config", "set-context", "here").exitCode()).isEqualTo(2);
        Said made = run.input(cli.node().token() + "\n")
                .run("config", "set-context", "here", "--url", cli.node().url(), "--token-stdin");
        assertThat(made.exitCode()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(run.run("job", "list").exitCode()).isZero();

        run.run("config", "set-context", "away", "--url", "http://127.0.0.1:1", "--token", "x");
        assertThat(run.run("config", "use-context", "away").exitCode()).isZero();
        assertThat(run.run("job", "list").err()).contains("(context away)");
        assertThat(run.run("--context", "here", "job", "list").exitCode()).isZero();
        assertThat(run.run("config", "get-contexts", "-o", "name").lines()).containsExactly("away", "here");
        assertThat(run.run("config", "view").out())
                .contains("current: away")
                .contains("'***'")
                .doesNotContain(" x\n");
        assertThat(run.run("config", "use-context", "nowhere").exitCode()).isEqualTo(1);
        assertThat(run.run("config", "set-context", "away", "--url", "ftp://x").exitCode())
                .isEqualTo(1);
        try (Stream<Path> all = Files.list(file.getParent())) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    void the_doctor_says_what_is_right() throws Exception {
        cli.node().awaitReady(Duration.ofSeconds(60)); // it may have been drained until now
        Said said = cli.run("doctor");

        assertThat(said.out()).contains("address", "token", "permissions", "database", "clock", "nodes", "version");
        assertThat(said.out().lines().filter(line -> line.startsWith("BAD")))
                .as("this command says that it is 1.2.3")
                .hasSize(1)
                .allMatch(line -> line.contains("version"));
        assertThat(cli.run("doctor", "-o", "json").json().path("items").size()).isGreaterThan(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"freeze --for 1h", "silence add --until 1h", "job pause"})
    void a_label_that_is_given_two_values_is_refused_instead_of_one_of_them_lost(String line) {
        Said said = cli.run((line + " -l tier=db -l tier=web").split(" "));

        assertThat(said.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(said.err())
                .contains("--label tier is given as \"db\" and as \"web\", and takes one value; use the command once");
    }

    @Test
    void a_freeze_is_made_listed_extended_and_ended_and_readyz_counts_those_in_force_by_no_name() throws Exception {
        Said made = cli.run("freeze", "-n", "iced", "-l", "tier=db", "--for", "2h", "--skip", "--reason", "a move");
        assertThat(made.exitCode()).as(made.err()).isZero();
        assertThat(made.err()).matches("(?s)freeze [0-9]+ skips what comes due until [0-9].*");
        String id = cli.run("freeze", "list", "-o", "name").lines().get(0);
        assertThat(cli.run("freeze", "list").out()).contains("ACTIVE", "SKIP", "iced", "tier=db", "a move");
        assertThat(cli.node().awaitHealth("1 is in force", Duration.ofSeconds(20)))
                .doesNotContain("iced", "a move");

        assertThat(cli.run("freeze", "extend", id, "--for", "3h").exitCode()).isZero();
        String until = cli.json("freeze", "get", id).path("until").asText();
        Said shorter = cli.run("freeze", "extend", id, "--for", "1h");
        assertThat(shorter.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(shorter.err()).contains(" and would end earlier, at ", "; add --shorten if you mean it");
        assertThat(cli.json("freeze", "get", id).path("until").asText()).isEqualTo(until);
        assertThat(cli.run("freeze", "extend", id, "--for", "1h", "--shorten").exitCode())
                .isZero();
        assertThat(cli.json("freeze", "get", id).path("until").asText()).isLessThan(until);
        assertThat(cli.run("freeze", "end", id).exitCode()).isZero();

        assertThat(cli.run("freeze", "list", "-o", "json")
                        .json()
                        .at("/items/0/state")
                        .asText())
                .isEqualTo("ENDED");
        String unused = cli.node().awaitHealth("none is in force", Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource({
        "--url http://127.0.0.1:1,    BAD +address +no node answers .*scripts/quickstart",
        "--token wrong,               BAD +token .*rowlock token add",
        "--context none,              BAD +address +there is no context none",
    })
    void the_doctor_names_what_is_wrong_and_a_remedy(String options, String line) {
        Said said = cli.run(("doctor " + options).split(" ", -1));

        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.out()).containsPattern(line);
    }
}
