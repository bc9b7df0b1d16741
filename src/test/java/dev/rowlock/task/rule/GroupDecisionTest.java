package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overlap;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import dev.rowlock.task.rule.GroupOccupancy.GroupWaiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Now is minute 100. Waiting tasks are written as {@code id@rank}, in minutes; claims as {@code id+priority}. */
class GroupDecisionTest {

    private static final Instant NOW = Instant.EPOCH.plus(Duration.ofMinutes(100));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # limit | used | waiting   | due         | slots | started
            2       | 0    |           | 1+0 2+0 3+0 | 9     | 1 2
            2       | 1    |           | 1+0 2+0     | 9     | 1
            2       | 2    |           | 1+0         | 9     | -
            2       | 3    |           | 1+0         | 9     | -
            0       | 0    |           | 1+0         | 9     | -
            -1      | 0    |           | 1+0         | 9     | -
            1       | 0    |           | 1+0 2+7     | 9     | 2
            1       | 0    | 8@90      | 1+0         | 9     | -
            2       | 0    | 8@90      | 1+0         | 9     | 1
            1       | 0    | 8@90      | 1+11        | 9     | 1
            1       | 0    | 1@90 8@95 | 1+0         | 9     | 1
            1       | 0    | 1@95 8@90 | 1+0         | 9     | -
            1       | 0    | 1@95 2@90 | 1+0 2+0     | 9     | 2
            2       | 0    |           | 1+0 2+0     | 1     | 1
            """)
    void starts_what_goes_first(int limit, int used, @Nullable String waiting, String due, int slots, String started) {
        List<StartFacts> tasks =
                Arrays.stream(due.split(" ", -1)).map(GroupDecisionTest::task).toList();
        GroupOccupancy group = new GroupOccupancy(limit < 0 ? null : limit, used, waiting(waiting));

        List<FireDecision> decisions = FireDecision.of(
                tasks,
                new FireDecision.Shared(
                        NOW, Duration.ofMinutes(1), slots, "me", Map.of(), Map.of(), Map.of("g", group), Map.of()));

        StringBuilder text = new StringBuilder();
        for (int i = 0; i < tasks.size(); i++) {
            if (decisions.get(i).kind() == DecisionKind.START) {
                text.append(text.isEmpty() ? "" : " ")
                        .append(tasks.get(i).task().id());
            }
        }
        assertThat(text.isEmpty() ? "-" : text.toString()).isEqualTo(started);
    }

    private static List<GroupWaiter> waiting(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(" ", -1))
                        .map(t -> t.split("@", -1))
                        .map(t -> new GroupWaiter(
                                Long.parseLong(t[0]), Instant.EPOCH.plus(Duration.ofMinutes(Long.parseLong(t[1])))))
                        .collect(Collectors.toList());
    }

    private static StartFacts task(String text) {
        String[] parts = text.split("\\+", -1);
        long id = Long.parseLong(parts[0]);
        Task task = TaskBuilder.task(id, NOW).job(id).state(TaskState.PREPARED).build();
        FirePolicy policy = new FirePolicy(
                Overlap.SKIP, 0, null, null, false, null, null, "g", Integer.parseInt(parts[1]), null, false);
        return new StartFacts(task, Duration.ZERO, true, true, null, null, null, null, policy, false, null);
    }
}
