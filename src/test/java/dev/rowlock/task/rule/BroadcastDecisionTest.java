package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.Expansion.BroadcastPart;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.rule.WakeDecision.WakeRules;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Parts of broadcasts are written as their ids, each of a node of its own, and what is the matter with them: e
 * executing, h held, r a retry that waits, s set aside, o executing since an older version of the job, m of a run that
 * somebody asked for, l of a later occurrence.
 */
class BroadcastDecisionTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # parallel | live         | part | comes after
                       | 1e 2h 3h     | 3h   |
            1          |              | 3    |
            1          | 3            | 3    |
            1          | 1e           | 3    | 1
            1          | 1            | 3    | 1
            1          | 1h           | 3    | 1
            1          | 1s           | 3    | 1
            1          | 4h           | 3    |
            1          | 4e           | 3    | 4
            1          | 4r           | 3    | 4
            1          | 1e           | 3r   |
            2          | 1e           | 3    |
            2          | 1e 2e        | 3    | 1 2
            2          | 1e 2e 3h     | 4    | 1 2 3
            2          | 1m 2m        | 3    |
            2          | 1l 2l        | 3    |
            2          | 1m 2e        | 3m   |
            """)
    void parts_have_their_turns_by_their_ids(Integer parallel, String live, String part, String after) {
        List<Task> ahead = Broadcast.before(part(part), parts(live), parallel)
                .map(Broadcast.Ahead::tasks)
                .orElse(List.of());

        assertThat(ahead.stream().map(task -> Long.toString(task.id())).collect(Collectors.joining(" ")))
                .isEqualTo(after == null ? "" : after);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1e, 3h, false",
        "1, 1o, 3h, true",
        "1, 1o 2h, 3h, false",
        "1, 1o 2o 3o, 4h, true",
        "2, 1o 2o 3o, 4h, true",
        "2, 1o 2e, 3h, true",
        "2, 1e 2o 3h, 4h, false",
    })
    void the_next_one_looks_by_itself_where_nobody_may_tell_it(int parallel, String live, String part, boolean looks) {
        assertThat(Broadcast.before(part(part), parts(live), parallel)
                        .orElseThrow()
                        .isUntold(part(part)))
                .isEqualTo(looks);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # parallel | live            | woken
            1          | 1h 2h           | 1
            1          | 1e 2h           |
            2          | 1e 2h 3h        | 2
            3          | 1e 2h 3h        | 2 3
            2          | 1r 2h 3h        | 2
            1          | 1 2h            |
                       | 1e 2h 3h        | 2 3
            1          | 1h 2m 3l        | 1
            """)
    void those_whose_turn_has_come_are_woken(Integer parallel, String live, String woken) {
        assertThat(WakeDecision.of(parts(live), FreedResource.RUN, new WakeRules(parallel, Map.of())).stream()
                        .map(Task::id)
                        .sorted()
                        .map(String::valueOf)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(woken == null ? "" : woken);
    }

    @Test
    void a_failure_stops_what_has_not_started_of_its_own_occurrence() {
        assertThat(Broadcast.stoppedBy(part("1e"), parts("1e 2e 3h 4 5r 6s 7m 8l")))
                .extracting(Task::id)
                .containsExactly(3L, 4L);
    }

    @Test
    void an_occurrence_becomes_a_part_for_each_node() {
        List<CandidateNode> nodes = List.of(node("a"), node("b"), node("c"));

        assertThat(Expansion.of(7, Origin.SCHEDULE, nodes, new Broadcast(2, false)))
                .isEqualTo(new Expansion(
                        List.of(
                                new BroadcastPart("a", Origin.of("node:a"), null),
                                new BroadcastPart("b", Origin.of("node:b"), null),
                                new BroadcastPart(
                                        "c", Origin.of("node:c"), "2 other nodes first (broadcastParallel 2)")),
                        "3 tasks, on the nodes a, b, c"));
        assertThat(Expansion.of(71, Origin.of("run:x"), nodes.subList(0, 1), new Broadcast(null, false)))
                .isEqualTo(new Expansion(
                        List.of(new BroadcastPart("a", Origin.of("node:a#1z"), null)), "one task, on node a"));
    }

    @ParameterizedTest
    @CsvSource({"'', '', '', true", "run:1-2, '', '', false", "node:a, a, '', true", "node:a.b#1z, a.b, #1z, false"})
    void an_origin_tells_node_and_request(String text, String node, String request, boolean scheduled) {
        Origin origin = Origin.of(text);

        assertThat(origin.node()).isEqualTo(node);
        assertThat(origin.request()).isEqualTo(request);
        assertThat(origin.isScheduled()).isEqualTo(scheduled);
    }

    @Test
    void a_part_without_its_node_says_what_became_of_that() {
        assertThat(NoEligibleNode.ofPart("a", List.of(node("b"))).reason())
                .isEqualTo("node a ended before it ran this");
        assertThat(NoEligibleNode.ofPart("a", List.of(node("a"))).reason())
                .isEqualTo("node a no longer matches the nodes of the job");
        assertThat(NoEligibleNode.ofPart("a", List.of(new CandidateNode("a", Map.of(), false)))
                        .reason())
                .isEqualTo("node a took no more work (drained or stopping) before it ran this");
    }

    private static CandidateNode node(String name) {
        return new CandidateNode(name, Map.of(), true);
    }

    private static List<Task> parts(String texts) {
        return texts == null
                ? List.of()
                : Arrays.stream(texts.split(" "))
                        .map(BroadcastDecisionTest::part)
                        .toList();
    }

    private static Task part(String text) {
        long id = Long.parseLong(text.replaceAll("[^0-9]", ""));
        String what = text.replaceAll("[0-9]", "");
        boolean executes = what.equals("e") || what.equals("o");
        return TaskBuilder.task(id, Instant.ofEpochSecond(what.equals("l") ? 2 : 1))
                .version(what.equals("o") ? 1 : 2)
                .origin("node:n" + id + (what.equals("m") ? "#1" : ""))
                .attempt(what.equals("r") ? 2 : 1)
                .cause(what.equals("r") ? Cause.RETRY : Cause.SCHEDULE)
                .state(executes ? TaskState.EXECUTING : TaskState.IDLE)
                .hold(what.equals("h") ? Hold.OVERLAP : what.equals("s") ? Hold.ERROR : null)
                .queued(what.equals("h"))
                .build();
    }
}
