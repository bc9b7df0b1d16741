package dev.rowlock.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that become the text of a statement. */
class ListedTest {

    @Test
    void ids_and_texts_are_listed() {
        assertThat(Listed.ids(List.of(3L, 1L))).isEqualTo("3,1");
        assertThat(Listed.texts(List.of("s1-2", "s1-3"))).isEqualTo("'s1-2','s1-3'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a'", "a\\", "a') or ('1' = '1", "a b", "a\n", "ä-1", "a\u0000"})
    void what_could_end_a_literal_is_refused(String text) {
        assertThatThrownBy(() -> Listed.texts(List.of(text)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not plain");
    }
}
