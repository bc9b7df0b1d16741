package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cli.CliNode.Said;
import dev.rowlock.cli.call.ExitCode;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times as people type them, wherever one is taken. */
@Tag("database")
class TimesTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

    private static final String NO_ZONE = "\"Europe/Berln\" is not a time zone of the IANA database, such as"
            + " Europe/Berlin; did you mean \"Europe/Berlin\"?";

    @BeforeAll
    static void a_job_of_berlin() {
        cli.run(
                "job",
                "add",
                "times/berlin",
                "--schedule",
                "0 3 * * *",
                "--zone",
                "Europe/Berlin",
                "--command",
                "true");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            job why times/berlin 03:00                           | ^"03:00" is .* 03:00:00 \\+0[12]:00, in Europe/Berlin\\n
            job why times/berlin 03:00 --zone Asia/Tokyo         | ^"03:00" is .* 03:00:00 \\+09:00, in Asia/Tokyo\\n
            job why times/berlin 2026-11-27T10:35:25+00:00       | ^$
            job why times/berlin 2026-11-27 10:35                | ^"2026-11-27 10:35" is 2026-11-27 10:35:00 \\+01:00, in Europe/Berlin\\n
            job next times/berlin --from 14:00 --zone Asia/Tokyo | ^"14:00" is .* 14:00:00 \\+09:00, in Asia/Tokyo\\n
            history times/berlin --since yesterday               | ^"yesterday" is .* 00:00:00 \\+0[12]:00, in Europe/Berlin\\n
            history --since yesterday                            | ^"yesterday" is .* 00:00:00 \\+00:00, in UTC\\n
            history --since 2h                                   | ^(?!.* is )
            audit --since today                                  | ^"today" is .*, in UTC\\n
            verify --help                                        |
            task rerun --since 2026-11-27 --job times/berlin --dry-run | ^"2026-11-27" is 2026-11-27 00:00:00 \\+01:00, in Europe/Berlin\\n
            job pause times/berlin --until 2036-12-01T14:00      | ^"2036-12-01T14:00" is 2036-12-01 14:00:00 \\+01:00, in Europe/Berlin\\n
            """)
    void what_a_time_means_is_said_where_it_depends_on_a_zone(String line, String said) {
        Said answer = cli.run(line.split(" ", -1));

        assertThat(answer.exitCode()).as(answer.err()).isZero();
        if (said != null) {
            assertThat(answer.err()).containsPattern(said);
        }
    }

    @Test
    void what_tables_print_can_be_pasted() {
        Said said = cli.run("job", "why", "times/berlin", "2026-11-27 10:35:25 +00:00");

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job why times/berlin 2026-11-27 10:35:25 +00:00",
                "job why times/berlin 2026-11-27 10:35:25 -05:00",
                "job next times/berlin --from 2036-11-27 10:35:25 -05:00",
                "job next times/berlin --from=2036-11-27 10:35:25 +01:00",
                "history times/berlin --since 2026-11-27 10:35:25 -05:00 --limit 1",
                "task rerun --since 2026-11-27 10:35:25 -05:00 --job times/berlin --dry-run",
            })
    void and_needs_no_quotes(String line) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.err()).doesNotContain(" is 20");
    }

    @Test
    void a_time_of_a_table_is_the_same_instant_wherever_it_is_pasted() {
        Said printed = cli.run("job", "next", "times/berlin", "--count", "1");
        String here = printed.lines().get(1).replaceFirst("^\\S+ +\\S+ +(\\S+ \\S+ \\S+).*", "$1");

        Said why = cli.with().run(("job why times/berlin " + here + " -o json").split(" ", -1));

        assertThat(why.exitCode()).as(why.err()).isZero();
        assertThat(why.json().path("verdict").asText()).isEqualTo("TO_COME");
        assertThat(why.json().path("at").asText())
                .isEqualTo(cli.json("job", "next", "times/berlin", "--count", "1")
                        .at("/fireTimes/0")
                        .asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job set times/berlin zone=Europe/Berln",
                "job set times/berlin schedule=TZ=Europe/Berln|0|3|*|*|*",
                "job add times/other --schedule @daily --command x --zone Europe/Berln",
                "job next times/berlin --from 03:00 --zone Europe/Berln",
                "history times/berlin --since 03:00 --zone Europe/Berln",
                "schedule @daily --zone Europe/Berln",
                "schedule TZ=Europe/Berln|0|3|*|*|*",
                "import crontab - --zone Europe/Berln",
            })
    void a_zone_that_is_none_is_refused_with_one_sentence(String line) {
        String[] words = line.split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].replace('|', ' ');
        }

        Said said = cli.run(words);

        assertThat(said.exitCode()).isNotZero();
        assertThat(said.err()).contains(NO_ZONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tasks?since=03:00&zone=Europe/Berln",
                "/audit?since=03:00&zone=Europe/Berln",
                "/jobs/times/berlin/next?zone=Europe/Berln",
                "/jobs/times/berlin/explain?zone=Europe/Berln"
            })
    void and_by_each_route(String route) {
        assertThat(cli.node().get("/api/v1" + route).body()).contains(NO_ZONE.replace("\"", "\\\""));
    }

    @ParameterizedTest
    @CsvSource({
        "job why times/berlin noon,           'neither a time, such as 03:00, yesterday 14:00'",
        "job why times/berlin 03:00 --zone X, is not a time zone",
        "job next times/berlin --from noon,   'neither a time, such as 03:00, yesterday 14:00'",
    })
    void anything_else_is_refused_with_the_forms(String line, String why) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(said.err()).contains(why);
    }
}
