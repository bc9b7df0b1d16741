package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                             | ''                    | true
            ''                             | role=db               | true
            role=db                        | role=db               | true
            role=db                        | role=web              | false
            role=db                        | ''                    | false
            role==db                       | role=db               | true
            role = db                      | role=db               | true
            zone!=eu-west                  | zone=eu-west          | false
            zone!=eu-west                  | zone=us               | true
            zone!=eu-west                  | ''                    | true
            zone ! = eu-west               | zone=eu-west          | refused
            disk in (ssd,nvme)             | disk=nvme             | true
            disk in(ssd,nvme)              | disk=nvme             | true
            disk in ( ssd , nvme )         | disk=nvme             | true
            disk in (ssd,nvme)             | disk=hdd              | false
            disk in (ssd,nvme)             | ''                    | false
            disk notin (ssd,nvme)          | disk=hdd              | true
            disk notin(ssd,nvme)           | disk=ssd              | false
            disk notin (ssd,nvme)          | ''                    | true
            gpu                            | gpu=                  | true
            gpu                            | gpu=a100              | true
            gpu                            | ''                    | false
            !spot                          | ''                    | true
            !spot                          | spot=yes              | false
            ! spot                         | spot=yes              | false
            role=                          | role=                 | true
            role=                          | role=db               | false
            role=,gpu                      | role=;gpu=            | true
            role=db,disk in (ssd,nvme),gpu | role=db;disk=ssd;gpu= | true
            role=db,disk in (ssd,nvme),gpu | role=db;disk=ssd      | false
            role=db,role=web               | role=db               | false
            in in (in)                     | in=in                 | true
            notin                          | notin=1               | true
            example.com/role=db            | example.com/role=db   | true
            zone=süd                       | zone=süd              | true
            Role=db                        | role=db               | false
            role=DB                        | role=db               | false
            """)
    void holds_for_the_nodes_that_its_requirements_name(String selector, String labels, String holds) {
        if (holds.equals("refused")) {
            assertThatThrownBy(() -> Selector.parse(selector)).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(Selector.parse(selector).matches("n1", labels(labels))).isEqualTo(Boolean.valueOf(holds));
        }
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', delimiter = '|', textBlock = """
            role=db,                | character 9: expected the name of a label, not the end; write
            ,role=db                | character 1: expected the name of a label, not ','; write
            role=db,,gpu            | character 9: expected the name of a label, not ','; write
            role=db zone=eu         | character 9: expected a comma, not 'zone'; write
            role in ssd             | character 9: expected a list after 'in', not 'ssd'; write it like in (ssd,nvme)
            role notin              | character 11: expected a list after 'notin', not the end
            role in (ssd            | character 13: expected a comma or ), not the end
            role in (ssd nvme)      | character 14: expected a comma or ), not 'nvme'
            role in ()              | character 10: expected a value, not ')'
            role in (a,)            | character 12: expected a value, not ')'
            role=(db)               | character 6: expected a comma, not '('
            cpus>4                  | character 5: labels cannot be compared by >
            röle=db                 | character 1: 'röle' cannot be a label's name; it has 1 to 63 of A-Z
            !=db                    | character 2: expected the name of a label, not '='
            !role=db                | character 6: expected a comma, not '='
            =db                     | character 1: expected the name of a label, not '='
            node:n1                 | 'node:n1' cannot be a label's name
            ~{}~                    | '{}' cannot be a label's name
            """)
    void says_what_is_wrong_and_where(String text, String message) {
        assertThatThrownBy(() -> Selector.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refuses_values_that_no_label_can_have() {
        assertThatThrownBy(() -> Selector.parse("a=" + "x".repeat(64)))
                .hasMessage("character 3: a label's value has at most 63 characters, not 64");
        assertThat(Selector.parse("a=" + "x".repeat(63)).isAny()).isFalse();
    }

    @Test
    void is_written_in_one_way() {
        Selector selector =
                Selector.parse(" zone != eu , role == db,disk in (ssd, nvme,ssd), x notin (y), gpu, ! spot,gpu ");
        assertThat(selector).hasToString("!spot,disk in (nvme,ssd),gpu,role=db,x!=y,zone!=eu");
        assertThat(Selector.parse(selector.toString())).isEqualTo(selector).hasSameHashCodeAs(selector);
        assertThat(Selector.parse(" ")).isEqualTo(Selector.ANY);
        assertThat(Selector.parse(" ").isAny()).isTrue();
        assertThat(selector.isAny()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''      | node:n1         | true  | false
            role=db | node:n1,role=db | true  | false
            role=x  | node:n1,role=x  | false | false
            """)
    void may_name_one_node_and_still_asks_for_its_labels(String nodes, String text, boolean n1, boolean n2) {
        Selector selector = Selector.parse(nodes).on("n1");
        assertThat(selector).hasToString(text);
        assertThat(Selector.stored(text)).isEqualTo(selector);
        assertThat(selector.isAny()).isFalse();
        assertThat(selector.matches("n1", Map.of("role", "db"))).isEqualTo(n1);
        assertThat(selector.matches("n2", Map.of("role", "db"))).isEqualTo(n2);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        Arrays.stream(text.split(";")).filter(label -> !label.isEmpty()).forEach(label -> {
            String[] parts = label.split("=", 2);
            labels.put(parts[0], parts[1]);
        });
        return labels;
    }
}
