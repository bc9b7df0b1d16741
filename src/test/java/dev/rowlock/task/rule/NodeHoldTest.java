package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of tasks that no node may run, or that find no room on theirs. */
class NodeHoldTest {

    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final FirePolicy PLAIN = policy("");

    /** {@code late} and {@code since}: how long ago its fire time was, and it began to wait. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            # cause,   late, since, deadline, decision, left
            SCHEDULE,  PT0S,  -,     -,       HOLD,     PT60S
            SCHEDULE,  PT30S, PT30S, -,       HOLD,     PT30S
            SCHEDULE,  PT61S, PT61S, -,       MISS,     -
            CATCH_UP,  PT1H,  -,     -,       HOLD,     PT60S
            MANUAL,    PT1S,  PT1S,  -,       HOLD,     PT59S
            SCHEDULE,  PT9S,  PT9S,  10s,     HOLD,     PT1S
            SCHEDULE,  PT9S,  -,     10s,     HOLD,     PT1S
            SCHEDULE,  PT11S, PT11S, 10s,     MISS,     -
            SCHEDULE,  PT2M,  PT2M,  5m,      HOLD,     PT3M
            RECOVERY,  PT1H,  PT1H,  -,       HOLD,     -
            RETRY,     PT1H,  PT1H,  10s,     HOLD,     -
            """)
    void what_no_node_may_run_waits_until_its_deadline(
            Cause cause,
            Duration late,
            @Nullable Duration since,
            @Nullable String deadline,
            DecisionKind decision,
            @Nullable Duration left) {
        FirePolicy policy = deadline == null ? PLAIN : policy(", \"startDeadline\": \"" + deadline + "\"");
        NoEligibleNode elsewhere = new NoEligibleNode("no node is there", since == null ? null : NOW.minus(since));
        Task task = task(1, cause, TaskState.PREPARED, NOW.minus(late), since != null, null);

        FireDecision decided = FireDecision.of(
                        List.of(new StartFacts(
                                task, late, true, true, null, null, null, elsewhere, policy, true, null)),
                        shared(List.of()))
                .get(0);

        assertThat(decided.kind()).isEqualTo(decision);
        assertThat(decided.hold()).isEqualTo(decision == DecisionKind.HOLD ? Hold.NODE : null);
        assertThat(decided.until()).isEqualTo(left == null ? null : NOW.plus(left));
        assertThat(decided.reason()).endsWith("no node is there");
    }

    /** Tasks that execute, by their sessions, and how many are due: those that start here. */
    @ParameterizedTest
    @CsvSource({
        "'',             3, START START HOLD",
        "me,             3, START HOLD HOLD",
        "me me,          1, HOLD",
        "other other me, 2, START HOLD",
        "other other,    1, START",
    })
    void no_more_than_max_per_node_start_here(String executing, int due, String decisions) {
        FirePolicy policy = policy(", \"overlap\": \"ALLOW\", \"maxPerNode\": 2");
        List<Task> others = java.util.Arrays.stream(executing.split(" "))
                .filter(session -> !session.isEmpty())
                .map(session -> task(100, Cause.SCHEDULE, TaskState.EXECUTING, NOW, false, session))
                .toList();
        List<StartFacts> facts = java.util.stream.LongStream.rangeClosed(1, due)
                .mapToObj(id -> task(id, Cause.SCHEDULE, TaskState.PREPARED, NOW, false, null))
                .map(task ->
                        new StartFacts(task, Duration.ZERO, true, true, null, null, null, null, policy, false, null))
                .toList();

        assertThat(FireDecision.of(facts, shared(others)).stream()
                        .map(d -> d.kind().name())
                        .toList())
                .containsExactly(decisions.split(" "));
    }

    @Test
    void what_finds_no_room_looks_for_it_again_soon_and_then_less_often() {
        FirePolicy policy = policy(", \"overlap\": \"ALLOW\", \"maxPerNode\": 1");
        List<Task> others = List.of(task(100, Cause.SCHEDULE, TaskState.EXECUTING, NOW, false, "me"));

        for (boolean queued : List.of(false, true)) {
            Task task = task(1, Cause.SCHEDULE, TaskState.PREPARED, NOW, queued, null);
            FireDecision decided = FireDecision.of(
                            List.of(new StartFacts(
                                    task, Duration.ZERO, true, true, 100L, null, null, null, policy, false, null)),
                            shared(others))
                    .get(0);
            assertThat(decided.hold()).isEqualTo(Hold.NODE);
            assertThat(decided.until()).isEqualTo(NOW.plusSeconds(queued ? 5 : 1));
            assertThat(decided.reason()).contains("executes 1 tasks of the job").contains("maxPerNode");
        }
    }

    private static FireDecision.Shared shared(List<Task> others) {
        return new FireDecision.Shared(
                NOW, Duration.ofMinutes(1), 100, "me", Map.of(1L, others), Map.of(), Map.of(), Map.of());
    }

    private static FirePolicy policy(String fields) {
        JobDefinition definition = StoredDefinition.read(
                        new JobKey("default", "j"),
                        "{\"schedule\": \"* * * * *\", \"command\": \"true\"" + fields + "}",
                        false)
                .definition();
        return FirePolicy.of(definition);
    }

    private static Task task(
            long id, Cause cause, TaskState state, Instant fireTime, boolean queued, @Nullable String session) {
        return TaskBuilder.task(id, fireTime)
                .cause(cause)
                .state(state)
                .queued(queued)
                .session(session)
                .build();
    }
}
