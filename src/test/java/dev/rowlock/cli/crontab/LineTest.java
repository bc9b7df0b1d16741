package dev.rowlock.cli.crontab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Percent signs and backslashes, as do_command.c of Vixie's cron and of cronie reads them. */
class LineTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            date +\\%F          | date +%F     |
            a%b                 | a            | b\\n
            a%b%c\\%d           | a            | b\\nc%d\\n
            echo a\\\\%b        | echo a\\\\   | b\\n
            echo a\\\\\\%b      | echo a\\\\%b |
            echo a\\nb%c        | echo a\\nb   | c\\n
            a%b\\\\%c           | a            | b\\%c\\n
            """)
    void a_percent_sign_ends_the_command_unless_it_is_escaped(String rest, String command, String input) {
        Line line = Objects.requireNonNull(Line.of("0 3 * * * " + rest, false));

        assertThat(line.command()).isEqualTo(command);
        assertThat(line.input()).isEqualTo(input == null ? null : input.replace("\\n", "\n"));
    }
}
