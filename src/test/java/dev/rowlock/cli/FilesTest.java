package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Surroundings.Stream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs in files, against a real node: planned, applied, written and read again. */
@Tag("database")
class FilesTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static final String JOBS = """
            # what this team runs
            defaults:
              namespace: ops
              zone: Europe/Berlin
              labels: {by: git}
              retry: {max: 2}
            jobs:
              - name: backup   # the important one
                schedule: "0 3 * * *"
                command: |
                  set -e
                  backup --full
                umask: 027
              - name: rotate
                schedule: '@every 6h'
                command: rotate
                labels: {tier: low}
                retry: null
            ---
            namespace: web
            name: ping
            schedule: "@manual"
            command: [ping, -c, "1", localhost]
            shell: none
            """;

    @TempDir
    Path dir;

    @BeforeEach
    void no_jobs() {
        for (JsonNode job : cli.json("job", "list").path("items")) {
            String path = "/api/v1/jobs/" + JobViews.name(job);
            assertThat(cli.node().send("DELETE", path, "").statusCode()).isEqualTo(204);
        }
    }

    private String file(String name, String text) {
        try {
            Path file = dir.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String jobs() {
        return String.join(" ", cli.run("job", "list", "-o", "name").lines());
    }

    @Test
    void a_plan_says_what_would_change_and_changes_nothing() {
        String file = file("jobs.yaml", JOBS);

        Said said = cli.run("plan", "-f", file, "--days", "2", "--utc");

        assertThat(said.exitCode()).isEqualTo(ExitCode.DIFFERENT);
        assertThat(said.err()).isEmpty();
        assertThat(said.out())
                .contains("+ ops/backup is created\n", "    zone: Europe/Berlin\n", "      + backup --full\n")
                .contains("fire times of the next 2 days: 2 appear, 0 vanish\n")
                .containsPattern("      \\+ \\d{4}-\\d\\d-\\d\\d 0[12]:00:00 \\+00:00\n")
                .endsWith("3 to create, 0 to change, 0 to remove, 0 as they are\n");
        assertThat(jobs()).isEmpty();
        assertThat(cli.run("diff", "-f", file, "-o", "name").lines())
                .containsExactly("ops/backup", "ops/rotate", "web/ping");
        JsonNode plan = cli.with().run("plan", "-f", file, "-o", "json").json();
        assertThat(plan.path("summary").path("create").asInt()).isEqualTo(3);
        assertThat(plan.path("etag").asText()).isNotEmpty();
    }

    @Test
    void the_lines_of_a_schedule_come_and_go_and_are_exported_as_they_were_written() {
        String lines = """
                name: several
                schedule:
                  - 0 3 * * *
                  - schedule: 0 4 * * *
                    zone: Asia/Tokyo
                    env:
                      FULL: "1"
                command: a
                """;
        cli.run("apply", "-f", file("one.yaml", "{name: several, schedule: '0 3 * * *', command: a}"));

        Said plan = cli.run("plan", "-f", file("several.yaml", lines), "--days", "2");
        assertThat(plan.out())
                .contains("    schedule:\n      + {")
                .contains("{\"schedule\":\"0 4 * * *\",\"zone\":\"Asia/Tokyo\",\"env\":{\"FULL\":\"1\"}}\n")
                .contains("fire times of the next 2 days: 2 appear, 0 vanish\n");
        assertThat(cli.run("apply", "-f", file("several.yaml", lines), "--yes").exitCode())
                .isZero();
        assertThat(cli.run("job", "list").out()).contains("0 3 * * * | 0 4 * * * (Asia/Tokyo)");
        String text = cli.run("export").out();
        assertThat(text).contains("schedule:\n  - 0 3 * * *\n  - schedule: 0 4 * * *\n");
        assertThat(cli.with().input(text).run("plan", "-f", "-").exitCode()).isZero();

        assertThat(cli.run("job", "set", "several", "schedule=['@hourly', '30 9 * * *']")
                        .exitCode())
                .isZero();
        assertThat(cli.json("job", "get", "several").path("schedule").toString())
                .isEqualTo("[\"@hourly\",\"30 9 * * *\"]");
    }

    @Test
    void what_is_applied_is_in_force_with_its_defaults() {
        Said said = cli.run("apply", "-f", file("jobs.yaml", JOBS));

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.err()).isEqualTo("3 created, 0 changed, 0 removed, 0 as they are\n");
        assertThat(jobs()).isEqualTo("ops/backup ops/rotate web/ping");
        JsonNode rotate = cli.json("job", "get", "ops/rotate");
        assertThat(rotate.path("labels").toString()).isEqualTo("{\"by\":\"git\",\"tier\":\"low\"}");
        assertThat(rotate.path("retry").isNull()).isTrue();
        JsonNode backup = cli.json("job", "get", "ops/backup");
        assertThat(backup.path("retry").path("max").asInt()).isEqualTo(2);
        assertThat(backup.path("umask").asText()).isEqualTo("027");
        assertThat(backup.path("command").asText()).isEqualTo("set -e\nbackup --full\n");

        Said again = cli.run("apply", "-f", dir.toString());
        assertThat(again.exitCode()).isZero();
        assertThat(again.out()).isEmpty();
        assertThat(again.err()).isEqualTo("nothing to change: all 3 jobs are as the files say\n");
        assertThat(cli.run("plan", "-f", dir.toString()).exitCode()).isZero();
    }

    @Test
    void a_change_is_shown_with_the_fire_times_that_move() {
        cli.run("apply", "-f", file("jobs.yaml", JOBS));
        String file = file("jobs.yaml", JOBS.replace("0 3 * * *", "0 4 * * *").replace("--full", "--half"));

        Said said = cli.run("plan", "-f", file);

        assertThat(said.out())
                .contains("~ ops/backup is changed\n    schedule: 0 3 * * * → 0 4 * * *\n")
                .contains("    command:\n      - backup --full\n      + backup --half\n")
                .contains("7 appear, 7 vanish\n", "      … and 8 more\n")
                .contains("0 to create, 1 to change, 0 to remove, 2 as they are\n")
                .doesNotContain("rotate");
        assertThat(cli.run("plan", "-f", file, "-o", "wide").out()).doesNotContain("more\n");
    }

    @Test
    void the_days_of_clock_changes_and_warnings_are_marked() {
        Said said = cli.run(
                "plan",
                "--days",
                "31",
                "-o",
                "wide",
                "-f",
                file("a.yaml", "{name: a, schedule: '0 0 13 * FRI', zone: Pacific/Auckland, command: a}"));

        assertThat(said.out()).contains("    warning: day-of-month and day-of-week are both restricted");
    }

    @Test
    void many_starts_in_an_hour_are_told() {
        Said said = cli.run("plan", "-f", file("a.yaml", "{name: a, schedule: '* 3 * * *', command: a}"));

        assertThat(said.out())
                .contains("starts in an hour, of the jobs in this plan:\n")
                .contains("  0 → 60\n")
                .containsPattern(" {4}… and [45] more hours\n"); // five if it is three o'clock now
    }

    @Test
    void what_is_exported_is_what_is_applied_byte_for_byte() {
        cli.run("apply", "-f", file("in/jobs.yaml", JOBS));
        cli.node().send("POST", "/api/v1/jobs/ops/rotate/pause", "{}");

        String text = cli.run("export").out();

        assertThat(text)
                .startsWith("namespace: ops\nname: backup\nlabels:\n  by: git\nschedule: 0 3 * * *\n")
                .contains("\n---\nnamespace: ops\nname: rotate\n", "\nzone: UTC\n", "\npaused: true\n")
                .contains("command:\n  - ping\n  - -c\n  - '1'\n  - localhost\n")
                .doesNotContain("overlap", "version", "priority");
        Said plan = cli.run("plan", "-f", file("out.yaml", text));
        assertThat(plan.exitCode()).as(plan.out()).isZero();
        Said json = cli.run("export", "-o", "json");
        assertThat(cli.run("plan", "-f", file("out.json", json.out())).exitCode())
                .isZero();
        assertThat(cli.with().input(json.out()).run("plan", "-f", "-").exitCode())
                .isZero();
        no_jobs();
        assertThat(cli.with().input(text).run("apply", "-f", "-").exitCode()).isZero();
        assertThat(cli.run("export").out()).isEqualTo(text);
        assertThat(cli.run("export", "web", "-l", "by=git").out()).isEqualTo("jobs: []\n");
        assertThat(cli.run("export", "web", "-o", "name").out()).isEqualTo("web/ping\n");
    }

    @Test
    void only_what_bears_the_label_is_pruned_and_only_if_it_is_meant() {
        cli.run("apply", "-f", file("jobs.yaml", JOBS));
        String less = file("less.yaml", JOBS.replaceFirst("(?s)  - name: rotate.*?---", "---"));

        assertThat(cli.run("plan", "-f", less).exitCode()).isZero();
        String[] prune = {"apply", "-f", less, "--prune-namespace", "ops", "--prune-label", "by=git"};
        Said refused = cli.run(prune);
        assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.out()).contains("- ops/rotate is removed\n");
        assertThat(refused.err()).contains("--yes").contains("web/ping is none of those that --prune-namespace");
        Said no = cli.with().terminals(Stream.IN, Stream.ERR).input("no\n").run(prune);
        assertThat(no.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(jobs()).isEqualTo("ops/backup ops/rotate web/ping");

        assertThat(cli.run("apply", "-f", less, "--prune-namespace", "ops", "--prune-label", "by=git", "--yes")
                        .err())
                .endsWith("0 created, 0 changed, 1 removed, 2 as they are\n");
        assertThat(jobs()).isEqualTo("ops/backup web/ping");
        Said nothing = cli.run("apply", "-f", file("empty.yaml", "jobs: []"), "--prune-namespace", "ops", "--yes");
        assertThat(nothing.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(nothing.err()).contains("an empty set is not taken for the wish to remove all");
    }

    @Test
    void a_dry_run_and_a_no_change_nothing() {
        String file = file("jobs.yaml", JOBS);

        assertThat(cli.run("apply", "-f", file, "--dry-run").out()).contains("3 to create");
        Said said = cli.with().terminals(Stream.IN, Stream.ERR).input("\n").run("apply", "-f", file);
        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).contains("3 to create, 0 to change, 0 to remove, 0 as they are. Go on? [y/N]");
        assertThat(jobs()).isEmpty();
        assertThat(cli.with()
                        .terminals(Stream.IN, Stream.ERR)
                        .input("y\n")
                        .run("apply", "-f", file)
                        .exitCode())
                .isZero();
    }

    @Test
    void who_was_faster_is_told() {
        cli.run("apply", "-f", file("jobs.yaml", JOBS));
        String file = file("jobs.yaml", JOBS.replace("--full", "--half"));

        // While the question is open, somebody else edits one of the jobs.
        Said said = cli.with()
                .terminals(Stream.IN, Stream.ERR)
                .asked(() -> cli.node().send("PATCH", "/api/v1/jobs/ops/rotate", "{\"command\": \"turn\"}"))
                .run("apply", "-f", file);

        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err())
                .contains("since the plan was made, somebody else has changed ops/rotate\n")
                .doesNotContain("changed ops/backup")
                .contains("nothing was changed; the same command again shows what it changes now\n");
        assertThat(cli.json("job", "get", "ops/backup").path("command").asText())
                .contains("--full");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {name: a, schedule: '0 25 * * *', command: a}            | 1:11: schedule
            {name: a, command: a}                                    | 1:1: schedule is required
            {schedule: '@daily', command: a}                         | 1:1: name is required: what the job is called
            {name: a, schedule: '@daily', comand: a}                 | 1:31: comand is not a field of a job; did you mean 'command'?
            {name: a, schedule: '@daily', command: a, env: {A: 1}}   | 1:49: env.A must be a string, not a number; put it in quotes
            {name: a, schedule: ['@daily', 5], command: a}           | 1:32: schedule[1] must be a string or an object, not a number; put it in quotes
            {name: a, schedule: ['@daily', '0 0 * * *'], command: a} | 1:32: schedule[1] has the same fire times as line 1
            {name: a, schedule: */5 * * * *, command: a}             | needs quotes, as in schedule: "*/5 * * * *"
            {name: a, schedule: @daily, command: a}                  | needs quotes, as in schedule: "*/5 * * * *"
            {name: a, name: b}                                       | 1:11: name is here twice, first in line 1
            {jobs: [{name: a}], zone: UTC}                           | 1:21: zone does not belong beside jobs, calendars and defaults
            {jobs: {name: a}}                                        | 1:2: jobs must be a list of jobs
            {defaults: {name: a}, jobs: []}                          | 1:13: defaults.name cannot be a default
            {name: a, schedule: '@daily', command: a, group: nobody} | 1:43: group
            [{name: a}, {namespace: default, name: a}]               | 1:34: default/a is the same job as at
            just text                                                | 1:1: this must be a job
            {name: a, command: !secret a}                            | 1:20: the tag !secret is not understood
            """)
    void what_is_wrong_is_told_with_its_place(String text, String what) {
        String file = file("wrong.yaml", text);

        for (String command : new String[] {"plan", "apply"}) {
            Said said = cli.run(command, "-f", file);
            assertThat(said.exitCode()).isEqualTo(command.equals("plan") ? ExitCode.NOT_COMPARED : ExitCode.FAILED);
            assertThat(said.err())
                    .startsWith("rowlock " + command + ": " + file + ":")
                    .contains(what);
            assertThat(said.out()).isEmpty();
        }
        assertThat(jobs()).isEmpty();
    }

    @Test
    void every_file_of_a_directory_is_told_of_at_once() {
        file("jobs/a.yaml", "{name: a, schedule: '@daily', command: a}");
        file("jobs/below/b.yml", "- name: b\n  schedule: '@daily'\n  command: [b]\n");
        file("jobs/c.json", "{\"name\": \"c\",\n \"schedule\": \"@dayly\", \"command\": \"c\"}");
        file("jobs/notes.txt", "no job");
        file("jobs/.git/d.yaml", "no job");

        Said said = cli.run("plan", "-f", dir.resolve("jobs").toString());

        assertThat(said.err().lines().toList())
                .hasSize(2)
                .anyMatch(line -> line.contains("b.yml:3:3: command a list of arguments needs shell none"))
                .anyMatch(line -> line.contains("c.json:2:2: schedule "));
        assertThat(cli.run("plan", "-f", dir.resolve("none").toString()).err())
                .contains("there is no such file or directory");
        assertThat(cli.run("plan").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void a_file_that_cannot_be_understood_does_not_hide_the_next() throws IOException {
        file("jobs/a.yaml", "name: @a");
        file("jobs/b.json", "{\"name\": }");
        Files.write(dir.resolve("jobs/c.yaml"), new byte[] {(byte) 0xe9});

        assertThat(cli.run("plan", "-f", dir.resolve("jobs").toString()).err().lines())
                .hasSize(3)
                .anyMatch(line -> line.contains("a.yaml:1:7: "))
                .anyMatch(line -> line.contains("b.json:1:10: this is no JSON"))
                .anyMatch(line -> line.contains("c.yaml: this is no text in UTF-8"));
    }

    @Test
    void what_comes_by_standard_input_has_to_be_utf_8_like_a_file() {
        byte[] latin1 = "{name: a, schedule: '@daily', command: caf\u00e9}".getBytes(StandardCharsets.ISO_8859_1);

        Said said = cli.with().input(latin1).run("apply", "-f", "-");

        assertThat(said.err()).isEqualTo("rowlock apply: -: this is no text in UTF-8\n");
        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(jobs()).isEmpty();
    }

    @Test
    void lines_of_a_command_are_shown_as_they_are() {
        String file = file("lines.yaml", "{name: a, schedule: '@manual', command: \"a\\n\\n\\tb\\ec\\n\"}");

        assertThat(cli.run("plan", "-f", file).out()).contains("      + a\n      +\n      + \tb?c\n");
    }

    @Tag("slow")
    @Test
    void more_jobs_than_one_request_takes_are_sent_in_parts() {
        StringBuilder many =
                new StringBuilder("defaults: {schedule: '@manual', command: 'true', namespace: many}\njobs:\n");
        for (int i = 0; i < 1001; i++) {
            many.append("  - name: j").append(i).append('\n');
        }
        String file = file("many.yaml", many.toString());

        assertThat(cli.run("plan", "-f", file, "-o", "name").lines()).hasSize(1001);
        assertThat(cli.run("apply", "-f", file).err()).isEqualTo("1001 created, 0 changed, 0 removed, 0 as they are\n");
        assertThat(cli.run("export", "many", "-o", "name").lines()).hasSize(1001);
        assertThat(cli.run("apply", "-f", file, "--prune-namespace", "many", "--yes")
                        .err())
                .contains("to prune, name fewer");
        assertThat(cli.run("plan", "-f", file("many.yaml", many + "  - name: x\n    schedule: '@never'\n"))
                        .err())
                .contains("many.yaml:1005:5: schedule");
    }

    @Test
    void a_job_is_edited_until_it_is_accepted() {
        cli.run("apply", "-f", file("jobs.yaml", JOBS));
        StringBuilder seen = new StringBuilder();

        Said said = cli.with()
                .editor(text -> {
                    seen.append(text).append("=====\n");
                    return text.contains("# refused: ")
                            ? text.replace("0 25 * * *", "0 5 * * *")
                            : text.replace("0 3 * * *", "0 25 * * *");
                })
                .run("job", "edit", "ops/backup");

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(seen)
                .startsWith("# Job ops/backup, version ")
                .contains("\nretry:\n  max: 2\numask: '027'\npaused: false\n");
        int version = cli.json("job", "get", "ops/backup").path("version").asInt();
        assertThat(seen.toString().split("=====\n", -1)[1])
                .startsWith("# refused: ")
                .contains("25");
        assertThat(said.err()).endsWith("job ops/backup is at version " + version + "\n");
        assertThat(cli.json("job", "get", "ops/backup").path("schedule").asText())
                .isEqualTo("0 5 * * *");
        assertThat(cli.with()
                        .editor(text -> text)
                        .run("job", "edit", "ops/backup")
                        .err())
                .isEqualTo("nothing was changed\n");
    }

    @Tag("slow")
    @Test
    void what_was_edited_is_kept_if_it_cannot_be_put_in_force() throws IOException {
        cli.run("apply", "-f", file("jobs.yaml", JOBS));

        Said said = cli.with()
                .editor(text -> {
                    cli.node().send("PATCH", "/api/v1/jobs/ops/backup", "{\"priority\": 1}");
                    return text.replace("--full", "--half");
                })
                .run("job", "edit", "ops/backup");

        assertThat(said.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(said.err()).contains("the job is at version");
        Path kept = Path.of(said.err().lines().findFirst().orElseThrow().replaceFirst("the text is kept in ", ""));
        assertThat(Files.readString(kept)).contains("backup --half");
        Files.delete(kept);

        Said still =
                cli.with().editor(text -> text.replace("0 3 * * *", "never")).run("job", "edit", "ops/backup");
        assertThat(still.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(still.err()).contains("it is still as it was refused; nothing was changed, and the text is kept in");
        assertThat(cli.run("job", "edit", "ops/backup").err()).contains("set EDITOR to a program");
        assertThat(cli.run("job", "edit").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void comments_of_a_file_survive_its_edit() throws IOException {
        String file = file("jobs.yaml", JOBS);
        cli.run("apply", "-f", file);

        Said said = cli.with()
                .editor(text -> text.contains("# refused: ")
                        ? text.replace("0 25 * * *", "0 5 * * *")
                        : text.replace("0 3 * * *", "0 25 * * *"))
                .run("job", "edit", "-f", file);

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(Files.readString(Path.of(file))).isEqualTo(JOBS.replace("0 3 * * *", "0 5 * * *"));
        assertThat(said.out()).contains("    schedule: 0 3 * * * → 0 5 * * *\n");
        assertThat(said.err())
                .contains("jobs.yaml:9:5: schedule")
                .endsWith(file + " is written\nrowlock apply -f " + file + " puts it in force\n");
        assertThat(cli.json("job", "get", "ops/backup").path("schedule").asText())
                .isEqualTo("0 3 * * *");
    }
}
