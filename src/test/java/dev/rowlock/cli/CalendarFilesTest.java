package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Calendars in files, against a real node. */
@Tag("database")
class CalendarFilesTest {

    private static final String WORKDAYS = "{week: [MON, TUE, WED, THU, FRI]}";

    @RegisterExtension
    static final CliNode cli = new CliNode();

    @TempDir
    Path dir;

    private String file(String calendar, String definition, String jobs) {
        try {
            String text = "calendars: {" + calendar + ": " + definition + "}\njobs:\n" + jobs;
            return Files.writeString(dir.resolve(calendar + ".yaml"), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String job(String namespace, String name, String schedule, String calendar) {
        return "  - {namespace: " + namespace + ", name: " + name + ", schedule: '" + schedule
                + "', command: a, calendar: " + calendar + "}\n";
    }

    private static String holiday(String day) {
        return "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:" + day
                + "\r\nSUMMARY:A\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    }

    @Test
    void jobs_that_a_calendar_leaves_without_any_fire_time_need_force() {
        cli.run("apply", "-f", file("forced", "{}", job("forced", "sundays", "0 3 * * SUN", "forced")));
        String file = file("forced", WORKDAYS, job("forced", "new", "0 3 * * *", "forced"));

        Said refused = cli.run("apply", "-f", file, "--yes");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(refused.err()).contains("leaves 1 job without any fire time: forced/sundays");
        assertThat(cli.run("plan", "-f", file, "--force").exitCode()).isEqualTo(ExitCode.DIFFERENT);

        assertThat(cli.run("apply", "-f", file, "--yes", "--force").exitCode()).isZero();
        assertThat(cli.json("job", "get", "forced/sundays").path("nextFireTime").isNull())
                .isTrue();
    }

    @Test
    void a_plan_counts_calendars_beside_jobs() {
        String file = file("counted", "{}", job("counted", "a", "0 3 * * *", "counted"));
        assertThat(cli.run("plan", "-f", file).out())
                .endsWith("1 to create, 0 to change, 0 to remove, 0 as they are; calendars: 1 to create, 0 to change,"
                        + " 0 as they are\n");
        assertThat(cli.run("apply", "-f", file).err())
                .endsWith("1 created, 0 changed, 0 removed, 0 as they are; calendars: 1 created, 0 changed,"
                        + " 0 as they are\n");
        assertThat(cli.run("apply", "-f", file).err())
                .isEqualTo("nothing to change: the job and the calendar are as the files say\n");
        String changed = file("counted", WORKDAYS, job("counted", "a", "0 3 * * *", "counted"));
        assertThat(cli.run("plan", "-f", changed).out())
                .endsWith("; calendars: 0 to create, 1 to change, 0 as they are\n");
    }

    @Test
    void an_import_does_not_overwrite_what_somebody_else_has_changed_meanwhile() {
        cli.with().input("{}").run("calendar", "set", "imported");

        Said refused = cli.with()
                .input(
                        holiday("20991225"),
                        () -> cli.node().send("PUT", "/api/v1/calendars/imported", "{\"week\": [\"MON\"]}"))
                .run("calendar", "import", "imported", "-");
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(cli.json("calendar", "get", "imported").path("closed")).isEmpty();

        Said exists = cli.with()
                .input(holiday("20991225"), () -> cli.node().send("PUT", "/api/v1/calendars/made", "{}"))
                .run("calendar", "import", "made", "-");
        assertThat(exists.exitCode()).isEqualTo(ExitCode.FAILED);
        assertThat(cli.with()
                        .input(holiday("20991225"))
                        .run("calendar", "import", "made", "-")
                        .exitCode())
                .isZero();
        assertThat(cli.json("calendar", "get", "made").path("closed")).hasSize(1);
    }

    @Test
    void an_export_of_some_jobs_has_the_calendars_that_they_name() throws IOException {
        cli.run("apply", "-f", file("unnamed", WORKDAYS, job("elsewhere", "a", "0 3 * * *", "unnamed")));
        cli.run("apply", "-f", file("exported", WORKDAYS, job("some", "a", "0 3 * * *", "[exported]")));

        String text = cli.run("export", "some").out();
        assertThat(text)
                .startsWith("namespace: some\n")
                .contains("\n---\ncalendars:\n  exported:\n    week:\n")
                .doesNotContain("unnamed");
        assertThat(cli.run("export", "some", "-o", "name").out()).isEqualTo("some/a\n");

        Path kept = Files.writeString(dir.resolve("kept.yaml"), text);
        assertThat(cli.run("plan", "-f", kept.toString()).exitCode()).isZero();
        cli.run("job", "delete", "some/a", "--yes");
        cli.run("calendar", "delete", "exported", "--yes");
        Said again = cli.run("apply", "-f", kept.toString());
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(cli.run("export", "some").out()).isEqualTo(text);
    }

    @Tag("slow")
    @Test
    void more_jobs_than_one_request_takes_follow_a_calendar_that_is_changed_with_them() {
        String jobs = IntStream.range(0, 1_002)
                .mapToObj(i -> job("many", "j" + i, "0 3 * * *", "many"))
                .collect(Collectors.joining());
        assertThat(cli.run("apply", "-f", file("many", "{}", jobs)).exitCode()).isZero();
        String edited = jobs.replace("name: j1001, schedule: '0 3", "name: j1001, schedule: '0 4");

        Said said = cli.run("apply", "-f", file("many", WORKDAYS, edited));

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(cli.run("plan", "-f", file("many", WORKDAYS, edited)).exitCode())
                .isZero();
        assertThat(cli.json("job", "get", "many/j1001").path("schedule").asText())
                .isEqualTo("0 4 * * *");
    }
}
