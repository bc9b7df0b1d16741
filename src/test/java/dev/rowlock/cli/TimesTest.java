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

/** Times as people type them, wherever one is taken. */
@Tag("database")
class TimesTest {

    @RegisterExtension
    static final CliNode cli = new CliNode();

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
    @CsvSource({
        "job why times/berlin noon,           'neither a time, such as 03:00, yesterday 14:00'",
        "job why times/berlin 03:00 --zone X, is not a time zone",
    })
    void anything_else_is_refused_with_the_forms(String line, String why) {
        Said said = cli.run(line.split(" ", -1));

        assertThat(said.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(said.err()).contains(why);
    }
}
