package dev.rowlock.cli.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandTemplateTest {

    private static final CommandTemplate CURL =
            new CommandTemplate("curl http://app/{handler} -d {param} {other} ${HOME}");

    @Test
    void values_are_words_of_a_shell_and_other_names_stay() {
        assertThat(CURL.with(Map.of("handler", "bill", "param", "it's $1 \\2")))
                .isEqualTo("curl http://app/bill -d 'it'\\''s $1 \\2' {other} ${HOME}");
        assertThat(new CommandTemplate(null).with(Map.of())).isNull();
    }

    /** Quoted twice, a value would end the quotes of the other one, and a shell would run it. */
    @Test
    void a_value_that_looks_like_a_name_stays_as_it_is() {
        assertThat(CURL.with(Map.of("handler", "{param}", "param", "; touch {handler} ;")))
                .isEqualTo("curl http://app/'{param}' -d '; touch {handler} ;' {other} ${HOME}");
    }
}
