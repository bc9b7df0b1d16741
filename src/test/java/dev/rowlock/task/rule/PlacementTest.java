package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.task.rule.Placement.CandidateNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {

    private static final Map<Integer, Selector> SELECTORS =
            Map.of(0, Selector.ANY, 1, Selector.parse("role=db"), 2, Selector.parse("!role"), 3, Selector.ANY.on("b"));

    /** Of node a; a node in brackets takes no work. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            a=db        | [0, 1]       | [2, 3]       | []
            a=db b=db   | [0, 1]       | [2]          | [3]
            a b=db      | [0, 2]       | []           | [1, 3]
            a=db (b=db) | [0, 1]       | [2, 3]       | []
            (a=db)      | []           | [0, 1, 2, 3] | []
            (a=db) b    | []           | [1]          | [0, 2, 3]
            b=db        | []           | [2]          | [0, 1, 3]
            """)
    void says_which_tasks_a_node_takes(String nodes, String mine, String nobodys, String others) {
        Placement placement = Placement.of("a", nodes(nodes), SELECTORS);

        assertThat(sorted(placement.mine())).isEqualTo(mine);
        assertThat(sorted(placement.nobodys())).isEqualTo(nobodys);
        assertThat(sorted(placement.others())).isEqualTo(others);
        assertThat(placement.isIdle()).isEqualTo(mine.equals("[]") && nobodys.equals("[]"));
    }

    @Test
    void names_what_is_looked_for_and_who_is_there() {
        assertThat(NoEligibleNode.of(Selector.parse("role=db"), nodes("a=web (b=db)"), null)
                        .reason())
                .isEqualTo("no node that takes work matches role=db; alive: a, b (drained or stopping)");
        assertThat(NoEligibleNode.of(Selector.ANY, nodes("(a) (b) (c) (d) (e) (f) (g)"), null)
                        .reason())
                .startsWith("no node takes work; alive: a (drained or stopping), b")
                .endsWith("e (drained or stopping) and 2 more");
    }

    private static List<CandidateNode> nodes(String text) {
        return Arrays.stream(text.split(" ")).map(PlacementTest::node).toList();
    }

    private static CandidateNode node(String text) {
        boolean takesWork = !text.startsWith("(");
        String[] parts = text.replaceAll("[()]", "").split("=", -1);
        return new CandidateNode(parts[0], parts.length > 1 ? Map.of("role", parts[1]) : Map.of(), takesWork);
    }

    private static String sorted(Iterable<Integer> ids) {
        return java.util.stream.StreamSupport.stream(ids.spliterator(), false)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
