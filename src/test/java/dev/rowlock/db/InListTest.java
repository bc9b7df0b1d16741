package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that become the text of a statement. */
class InListTest {

    @Test
    void ids_and_texts_are_listed() {
        assertThat(InList.ids(List.of(3L, 1L))).isEqualTo("3,1");
        assertThat(InList.texts(List.of("s1-2", "s1-3"))).isEqualTo("'s1-2','s1-3'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a'", "a\\", "a') or ('1' = '1", "a b", "a\n", "ä-1", "a\u0000"})
    void what_could_end_a_literal_is_refused(String text) {
        assertThatThrownBy(() -> InList.texts(List.of(text)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not plain");
    }

    @Test
    void a_row_has_what_could_end_a_literal_in_hex() {
        assertThat(InList.row(Arrays.asList(1L, null, 2, "2026-03-01 00:00:00.000", "3:1 4:2", "")))
                .isEqualTo("(1,null,2,'2026-03-01 00:00:00.000','3:1 4:2','')");
        assertThat(InList.row(List.of("it's", "a\\", "ä")))
                .isEqualTo("(_utf8mb4 x'69742773',_utf8mb4 x'615c',_utf8mb4 x'c3a4')");
    }
}
