package dev.rowlock.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandOutputTest {

    @ParameterizedTest
    @CsvSource({
        "3, abc, '', 0, abc",
        "3, abc, '', 1, bc",
        "3, abc, '', 3, ''",
        "3, abc, '', 9, ''",
        "6, abc, xyz, 0, abcxyz",
        "6, abc, xyz, 4, yz",
        "6, abc, xyz, 3, xyz",
        "10, abc, xyz, 0, abc<4>xyz",
        "10, abc, xyz, 5, <2>xyz",
        "10, abc, xyz, 7, xyz",
        "10, abc, xyz, 9, z",
        "0, '', '', 0, ''"
    })
    void what_follows_a_position_is_told_with_a_mark_for_what_was_cut(
            long total, String head, String tail, long position, String expected) {
        CommandOutput output = new CommandOutput(total, head.getBytes(UTF_8), tail.getBytes(UTF_8));
        String text = new String(output.after(position), UTF_8);
        assertThat(text.replaceAll("\n\\[\\.\\.\\. (\\d+) bytes were cut here \\.\\.\\.]\n", "<$1>"))
                .isEqualTo(expected);
    }
}
