package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What all commands that ask a node have in common, against a real one. */
@Tag("database")
class FrameTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @BeforeAll
    static void jobs() {
        put("/jobs/ops/backup", "{\"schedule\": \"0 3 * * *\", \"zone\": \"Europe/Berlin\", \"command\": \"true\"}");
        put("/jobs/ops/rotate", "{\"schedule\": \"@manual\", \"command\": \"true\", \"labels\": {\"by\": \"git\"}}");
        put("/jobs/default/hello", "{\"schedule\": \"@every 6h\", \"command\": \"echo hello\", \"paused\": true}");
    }

    private static void put(String path, String json) {
        assertThat(cli.node().send("PUT", "/api/v1" + path, json).statusCode()).isBetween(200, 299);
    }

    @Test
    void a_list_is_a_table_for_people() {
        Said said = cli.run("job", "list", "--utc");

        assertThat(said.exitCode()).isZero();
        assertThat(said.err()).isEmpty();
        assertThat(said.lines().get(0)).matches("NAMESPACE +NAME +SCHEDULE +NEXT +LEFT +LAST +RESULT +STREAK");
        assertThat(said.lines().get(1)).matches("default +hello +@every 6h +paused +- +- +- +-");
        assertThat(said.lines().get(2))
                .matches(
                        "ops +backup +0 3 \\* \\* \\* +\\d{4}-\\d\\d-\\d\\d 0[12]:00:00 \\+00:00 +in [\\dhms ]+ +- +- +-");
        assertThat(said.lines()).hasSize(4);
    }

    @Test
    void a_list_is_the_answer_of_the_api_for_programs() {
        Said said = cli.run("job", "list", "-n", "ops", "--output=json");

        assertThat(said.exitCode()).isZero();
        assertThat(said.json().path("items").findValuesAsText("name")).containsExactly("backup", "rotate");
        JsonNode plain =
                new Said(0, cli.node().get("/api/v1/jobs?namespace=ops").body(), "").json();
        assertThat(said.json().path("items")).isEqualTo(plain.path("items"));
        assertThat(cli.run("job", "list", "-n", "ops", "--output=json").out()).isEqualTo(said.out());
    }

    @Test
    void names_are_what_other_commands_take() {
        assertThat(cli.run("job", "list", "-o", "name").lines())
                .containsExactly("default/hello", "ops/backup", "ops/rotate");
        assertThat(cli.run("job", "get", "hello", "-o", "name").out()).isEqualTo("default/hello\n");
    }

    @Test
    void one_thing_is_shown_by_its_fields() {
        Said said = cli.run("job", "get", "ops/backup");

        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("schedule:").contains("0 3 * * *").doesNotContain("pausedUntil");
        assertThat(cli.run("job", "get", "ops/backup", "-o", "wide").out()).contains("pausedUntil");
        assertThat(cli.run("job", "get", "ops/backup", "-o", "yaml").out())
                .contains("\nname: backup\n")
                .contains("zone: Europe/Berlin\n");
    }

    @Test
    void filters_reach_the_node() {
        assertThat(cli.run("job", "list", "rot", "-o", "name").lines()).containsExactly("ops/rotate");
        assertThat(cli.run("job", "list", "-l", "by=git", "-o", "name").lines()).containsExactly("ops/rotate");
        assertThat(cli.run("job", "list", "--state", "paused", "-o", "name").lines())
                .containsExactly("default/hello");
        Said limited = cli.run("job", "list", "--limit", "1");
        assertThat(limited.lines()).hasSize(2);
        assertThat(limited.err()).contains("there are more");
    }

    @Test
    void an_export_of_nothing_says_so() {
        Said said = cli.run("export", "nothing");

        assertThat(said.out()).isEqualTo("jobs: []\n");
        assertThat(said.err()).contains("there is no such job in namespace nothing");
    }

    @Test
    void an_empty_list_is_one_in_every_format() {
        assertThat(cli.run("job", "list", "nothing").lines()).hasSize(1);
        assertThat(cli.run("job", "list", "nothing", "-o", "name").out()).isEmpty();
        assertThat(cli.json("job", "list", "nothing").path("items").size()).isZero();
        assertThat(cli.run("job", "list", "nothing", "-o", "yaml").out()).isEqualTo("items: []\n");
    }

    @ParameterizedTest
    @CsvSource({
        "job get ops/nothing,       1, there is no job ops/nothing",
        "job get a/b/c,             2, is not namespace/name",
        "job get,                   2, missing required parameter",
        "job lst,                   2, did you mean list?",
        "job rm x,                  2, did you mean delete?",
        "job show x,                2, did you mean get?",
        "task output 1,             2, did you mean logs?",
        "jbo list,                  2, did you mean job?",
        "job add x calendar=works,  2, did you mean --set calendar=works?",
        "job list --limt 3,         2, did you mean --limit?",
        "job run ops/a --follow -o name, 2, '--follow shows what the command writes'",
        "job pause ops/a --until soon, 2, 'or a duration, such as 90s'",
        "job list -o table2,        2, 'is none of table, wide, json, yaml and name'",
        "job list --state asleep,   2, PAUSED",
        "job list --limit 0 --namespace 1/2, 1, limit",
        "job list --timeout 1x,     2, is not a duration",
        "job list --context home,   1, rowlock config set-context home",
        "job list --token-file /no, 1, /no cannot be read: there is no such file",
        "job list --url ftp://a,    1, must be one like http://127.0.0.1:7575",
        "job list --token wrong,    4, token",
        "job list --url http://127.0.0.1:1, 1, no node answers at http://127.0.0.1:1 (--url)",
    })
    void what_cannot_be_done_is_said_on_standard_error(String line, int exitCode, String why) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.err()).contains(why).startsWith("rowlock").doesNotContain("\tat ");
        assertThat(said.exitCode()).isEqualTo(exitCode);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void whom_to_ask_may_stand_in_front_of_the_command() {
        Said said = cli.with()
                .without("ROWLOCK_URL")
                .without("ROWLOCK_TOKEN")
                .run("--url", cli.node().url(), "--token=" + cli.node().token(), "-v", "job", "list", "-o", "name");

        assertThat(said.exitCode()).isZero();
        assertThat(said.lines()).hasSize(3);
        assertThat(said.err()).isEqualTo("GET /api/v1/jobs?limit=1000: 200\n");
    }

    @Test
    void colour_is_for_terminals_and_not_with_no_color() {
        assertThat(cli.run("job", "list").out()).doesNotContain("\u001b");
        assertThat(cli.with()
                        .terminals(Surroundings.Stream.OUT)
                        .run("job", "list")
                        .out())
                .contains("\u001b[1mNAMESPACE");
        assertThat(cli.with()
                        .terminals(Surroundings.Stream.OUT)
                        .environment("NO_COLOR", "1")
                        .run("job", "list")
                        .out())
                .doesNotContain("\u001b");
    }

    @Test
    void a_context_names_a_cluster_and_its_token() throws IOException {
        Path file =
                Files.createDirectories(cli.home().resolve(".config/rowlock")).resolve("config.yaml");
        Files.writeString(
                file,
                "current: here\ncontexts:\n  here: {url: '" + cli.node().url() + "/', token: "
                        + cli.node().token() + "}\n  away: {url: 'http://127.0.0.1:1', token: x}\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try {
            CliNode.Run run = cli.with().without("ROWLOCK_URL").without("ROWLOCK_TOKEN");
            assertThat(run.run("job", "list", "-o", "name").lines()).hasSize(3);
            assertThat(run.run("job", "list", "--context", "away").err())
                    .contains("no node answers at http://127.0.0.1:1 (context away)");

            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
            Said said = run.run("job", "list");
            assertThat(said.exitCode()).isEqualTo(1);
            assertThat(said.err()).contains("chmod 600 " + file);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void the_node_of_this_machine_is_found_without_any_setting() throws IOException {
        Path data = Files.createDirectories(cli.home().resolve("elsewhere/data/nodes/node-a"));
        Files.writeString(
                data.resolve("address"),
                cli.node().url() + "\n" + ProcessHandle.current().pid() + "\n");
        Path killed = Files.createDirectories(data.resolveSibling("node-b"));
        Files.writeString(killed.resolve("address"), "http://127.0.0.1:1\n" + Integer.MAX_VALUE + "\n");
        Path token = Files.writeString(
                data.getParent().getParent().resolve("admin.token"), cli.node().token() + "\n");
        CliNode.Run run = cli.with()
                .without("ROWLOCK_URL")
                .without("ROWLOCK_TOKEN")
                .environment("ROWLOCK_HOME", cli.home().resolve("elsewhere").toString());

        assertThat(run.run("job", "list", "-o", "name").lines()).hasSize(3);
        Files.delete(token);
        Said said = run.run("job", "list");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err())
                .contains("there is no token for " + cli.node().url())
                .contains("ROWLOCK_TOKEN");
    }

    @Test
    void whoever_asks_a_node_that_was_killed_hears_that_none_runs_not_that_a_token_lacks() throws IOException {
        Path data = Files.createDirectories(cli.home().resolve("killed/data"));
        Files.writeString(data.resolve("admin.token"), cli.node().token() + "\n");
        Path node = Files.createDirectories(data.resolve("nodes/node-a"));
        Files.writeString(node.resolve("address"), cli.node().url() + "\n" + Integer.MAX_VALUE + "\n");
        CliNode.Run run = cli.with()
                .without("ROWLOCK_URL")
                .without("ROWLOCK_TOKEN")
                .environment("ROWLOCK_HOME", cli.home().resolve("killed").toString());

        Said said = run.run("job", "list");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.err())
                .contains(
                        "no node that runs is to be seen in " + data + ": start it, run this as its user, set ROWLOCK")
                .doesNotContain("no token");
        assertThat(run.run("doctor").out())
                .contains("where a node would listen; none that runs is to be seen in " + data)
                .doesNotContain("the node of this machine");
    }
}
