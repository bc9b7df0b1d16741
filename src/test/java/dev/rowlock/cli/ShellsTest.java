package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What shells are told of the commands, and the manual. */
@Tag("database")
class ShellsTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    static Path dir;

    @BeforeAll
    static void script() throws IOException {
        Files.writeString(dir.resolve("bash"), cli.run("completion", "bash").out());
        for (String job : List.of("ops/backup", "ops/rotate", "web/ping", "default/hello")) {
            String path = "/api/v1/jobs/" + job;
            assertThat(cli.node()
                            .send(
                                    "PUT",
                                    path,
                                    "{\"schedule\": \"@manual\", \"command\": \"a\", \"labels\": {\"team\": \"ops\"}}")
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    /** What a real bash would offer; the names that are live are asked for by a stand-in for the program. */
    private static List<String> offered(String typed) throws IOException, InterruptedException {
        String last = typed.endsWith(" ") ? " ''" : "";
        String bash = "rowlock() { echo \"live $2 $4\" | tr ' ' '_'; }; source " + dir.resolve("bash") + "\n"
                + "COMP_WORDS=(" + typed + last + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_rowlock\n"
                + "printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder("bash", "-u", "-c", bash)
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out.lines().filter(line -> !line.isEmpty()).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, textBlock = """
            rowlock pl|plan
            rowlock job |edit get list
            rowlock job l|list
            rowlock --context x job l|list
            rowlock --utc job l|list
            rowlock job list --nam|--namespace
            rowlock job list --sort |last name next outcome
            rowlock job list -o j|json
            rowlock job list --state paused --so|--sort
            rowlock job get |live_jobs_
            rowlock job get -o yaml live_j|live_jobs_live_j
            rowlock export l|live_namespaces_l
            rowlock plan -f |
            rowlock completion |bash fish zsh
            rowlock job list --label |live_labels_
            rowlock apply --prune-label |live_labels_
            rowlock job run --env |
            rowlock job add --zone live_z|live_zones_live_z
            rowlock history --outcome k|killed
            rowlock history --cause re|recovery retry
            rowlock task list --state |ended executing idle prepared
            rowlock alert list --state s|sent silenced
            rowlock job run --overlap q|queue
            rowlock token add --role |admin editor operator viewer
            rowlock audit --action pa|patch pause
            rowlock audit --kind al|alert-channel alert-rule
            rowlock audit --who |live_tokens_
            rowlock forecast --by |hour minute
            rowlock task rerun --outcome l|lost
            rowlock task rerun --job |live_jobs_
            rowlock silence add --rule |live_rules_
            rowlock rule get |live_rules_
            rowlock channel test |live_channels_
            rowlock token revoke |live_tokens_
            rowlock token add |
            rowlock --token |
            rowlock config use-context |live_contexts_
            rowlock secret set |live_secrets_
            """)
    void a_shell_offers_what_may_follow(String typed, String offered) throws Exception {
        List<String> expected = offered == null ? List.of() : List.of(offered.split(" ", -1));

        List<String> all = offered(typed);
        assertThat(
                        typed.equals("rowlock job ")
                                ? all.stream().filter(expected::contains).toList()
                                : all)
                .containsExactlyElementsOf(expected);
    }

    @Test
    void live_names_come_from_the_cluster() {
        assertThat(cli.run("complete", "jobs", "").lines())
                .containsExactly("default/hello", "ops/backup", "ops/rotate", "web/ping");
        assertThat(cli.run("complete", "jobs", "ops/r").lines()).containsExactly("ops/rotate");
        assertThat(cli.run("complete", "jobs", "he").lines()).containsExactly("hello");
        assertThat(cli.run("complete", "namespaces", "").lines()).containsExactly("default", "ops", "web");
        assertThat(cli.run("complete", "nodes", "no").lines()).containsExactly("node-a");
        assertThat(cli.run("complete", "groups").lines()).isEmpty();
        assertThat(cli.run("complete", "zones", "Europe/Be").lines())
                .containsExactly("Europe/Belfast", "Europe/Belgrade", "Europe/Berlin");
        assertThat(cli.run("complete", "labels", "te").lines()).containsExactly("team=ops");
        assertThat(cli.run("complete", "tokens").lines()).containsExactly("admin");
        for (String kind : List.of("rules", "channels")) {
            Said named = cli.run("complete", kind);
            assertThat(named.exitCode()).as(named.err()).isZero();
            assertThat(named.lines()).isEmpty();
        }
        assertThat(cli.run("complete", "secrets").exitCode()).isZero();
        assertThat(cli.run("complete", "contexts").lines()).isEmpty();
        Said away = cli.run("complete", "jobs", "--url", "http://127.0.0.1:1");
        assertThat(away.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(away.out()).isEmpty();
        assertThat(cli.run("help").out()).doesNotContain("\n  complete ");
    }

    @Test
    void the_other_shells_know_the_same() {
        assertThat(cli.run("completion", "zsh").out())
                .startsWith("#compdef rowlock\n")
                .contains("'job get|') echo 'jobs' ;;\n", "'|--context') echo 'contexts' ;;\n");
        assertThat(cli.run("completion", "fish").out())
                .contains("complete -c rowlock -n \"__rowlock_at ''\" -a 'plan' -d 'Shows what it would change")
                .contains("complete -c rowlock -n \"__rowlock_at 'job get'\" -a '(__rowlock_live jobs)'\n")
                .contains(" -s f -l file -r -F -d '");
        assertThat(cli.run("completion", "ksh").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void each_command_has_a_page_of_the_manual(@TempDir Path pages) throws IOException {
        String page = cli.run("man", "job", "list").out();

        assertThat(page)
                .startsWith(".TH \"ROWLOCK\\-JOB\\-LIST\" 1 \"\" \"rowlock 1.2.3\" \"Rowlock\"\n.SH NAME\n"
                        + "rowlock\\-job\\-list \\- Lists jobs\n.SH SYNOPSIS\n\\fBrowlock job list\\fR ")
                .contains(".TP\n\\fB\\-n\\fR, \\fB\\-\\-namespace\\fR \\fINAMESPACE\\fR\nThose of one namespace.\n")
                .contains("table, wide, json, yaml or name; default: table.\n")
                .contains(".SH EXIT STATUS\n.TP\n\\fB0\\fR\ndone\n")
                .contains(".SH EXAMPLE\n.nf\nrowlock job list \\-\\-namespace ops");
        assertThat(cli.run("man", "--into", pages.toString()).exitCode()).isZero();
        try (Stream<Path> all = Files.list(pages)) {
            assertThat(all.map(file -> file.getFileName().toString()))
                    .contains("rowlock.1", "rowlock-job.1", "rowlock-job-edit.1", "rowlock-import-crontab.1")
                    .doesNotContain("rowlock-complete.1");
        }
        assertThat(cli.run("man", "jobs").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void the_schema_is_printed() {
        assertThat(cli.run("schema").json().path("title").asText()).isEqualTo("Jobs of Rowlock");
    }
}
