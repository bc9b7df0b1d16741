package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overlap;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FireDecision.DecisionKind;
import dev.rowlock.task.rule.FireDecision.Displaced;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A task is written as its fire time, in seconds, which is its id too, and what is the matter with it: e executing, x
 * executing and to be killed for another, o executing since an older version of the job, q queued, w queued and woken,
 * p prepared, g held for its group, N held for a node, n likewise but older, h held by a pause, r a retry that waits, c
 * a recovery that waits, m manual, E and Q a rerun that executes or is queued, B and b one of a backfill that executes
 * or is prepared.
 */
class OverlapDecisionTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # overlap | limit | others      | due      | decisions
            SKIP      | 0     |             | 30       | START
            SKIP      | 0     | 20e         | 30       | SKIP by 20
            SKIP      | 0     | 20x         | 30       | SKIP by 20
            SKIP      | 0     | 10r         | 30       | START skips 10
            SKIP      | 0     | 20e 10r     | 30       | SKIP by 20
            SKIP      | 0     | 10r         | 30m      | START
            SKIP      | 0     | 10c         | 30       | START
            SKIP      | 0     | 40r         | 30       | START
            SKIP      | 0     |             | 30 40    | START, SKIP by 30
            SKIP      | 0     | 20e         | 10r      | SKIP by 20
            SKIP      | 0     | 20g         | 30       | SKIP by 20
            SKIP      | 0     | 20N         | 30       | SKIP by 20
            SKIP      | 0     | 20q         | 30       | SKIP by 20
            SKIP      | 0     | 20w         | 30       | SKIP by 20
            SKIP      | 0     | 40g         | 30       | SKIP by 40
            SKIP      | 0     | 20h         | 30       | START
            SKIP      | 0     | 20g         | 10r      | START
            SKIP      | 0     | 20g         | 25w      | SKIP by 20
            SKIP      | 0     | 40g         | 25w      | START
            SKIP      | 0     | 20g         | 30u      | SKIP by 20
            ALLOW     | 2     | 20e         | 30       | START
            ALLOW     | 2     | 20g         | 30       | START
            ALLOW     | 2     | 20e 25g     | 30       | SKIP by 25
            ALLOW     | 2     | 24N 25g     | 30       | SKIP by 24
            ALLOW     | 2     | 24N 25g     | 26w      | START
            ALLOW     | 2     | 24N 25g     | 30u      | START
            ALLOW     | 2     | 20r 25g     | 30       | START
            ALLOW     | 2     | 10e 20e     | 30       | SKIP by 10
            ALLOW     | 2     | 20e         | 30 40    | START, SKIP by 20
            ALLOW     | 2     | 10r         | 30       | START
            QUEUE     | 2     |             | 30       | START
            QUEUE     | 2     | 20e         | 30       | HOLD by 20
            QUEUE     | 2     | 20o         | 30       | HOLD by 20 again
            QUEUE     | 2     | 10e 20o     | 30       | HOLD by 10 again
            QUEUE     | 2     | 20e 25q     | 30       | HOLD by 20
            QUEUE     | 2     | 20e 25q 26q | 30       | SKIP by 25
            QUEUE     | 2     | 20e 25g 26N | 30       | SKIP by 25
            QUEUE     | 2     | 20e 25q 26q | 25w      | HOLD by 20
            QUEUE     | 2     | 20e 25q 26q | 10r      | HOLD by 20
            QUEUE     | 2     | 20e 25q 26q | 30u      | HOLD by 20
            QUEUE     | 2     | 20w         | 30       | HOLD by 20
            QUEUE     | 2     | 20p         | 30       | HOLD by 20 again
            QUEUE     | 2     | 20r         | 30       | HOLD by 20 again
            QUEUE     | 2     | 20h         | 30       | START
            QUEUE     | 2     | 20n         | 30       | HOLD by 20 again
            QUEUE     | 2     | 20n         | 30m      | START
            QUEUE     | 2     | 40n         | 30       | START
            QUEUE     | 2     | 40q         | 30       | START
            QUEUE     | 2     |             | 40 30    | HOLD by 30, START
            QUEUE     | 2     |             | 30 40 50 60 | START, HOLD by 30, HOLD by 30, SKIP by 40
            REPLACE   | 0     |             | 30       | START
            REPLACE   | 0     | 20e         | 30       | HOLD by 20 kills 20
            REPLACE   | 0     | 10e 20e     | 30       | HOLD by 10 kills 10 kills 20
            REPLACE   | 0     | 10x 20q     | 30       | HOLD by 10 skips 20
            REPLACE   | 0     | 20q         | 30       | START skips 20
            REPLACE   | 0     | 20g         | 30       | START skips 20
            REPLACE   | 0     | 20N         | 30       | START skips 20
            REPLACE   | 0     | 40g         | 30       | SKIP by 40
            REPLACE   | 0     | 20E         | 30       | HOLD by 20
            REPLACE   | 0     | 20Q         | 30       | HOLD by 20
            REPLACE   | 0     | 10e 20Q     | 30       | HOLD by 10 kills 10
            REPLACE   | 0     | 20E 25q     | 30       | HOLD by 20 skips 25
            REPLACE   | 0     | 40E         | 30       | HOLD by 40
            REPLACE   | 0     | 40Q         | 30       | START
            REPLACE   | 0     | 10E 20      | 30       | HOLD by 10
            REPLACE   | 0     | 10e 20N     | 30       | HOLD by 10 skips 20 kills 10
            REPLACE   | 0     | 10r         | 30       | START skips 10
            REPLACE   | 0     | 20e         | 10r      | SKIP by 20
            REPLACE   | 0     | 20e         | 10c      | SKIP by 20
            REPLACE   | 0     | 20e         | 10       | SKIP by 20
            REPLACE   | 0     | 20q         | 10w      | SKIP by 20
            REPLACE   | 0     | 20q         | 10c      | SKIP by 20
            REPLACE   | 0     | 10e         | 20c      | HOLD by 10 kills 10
            REPLACE   | 0     | 20e         | 30m      | HOLD by 20 kills 20
            SKIP      | 0     | 20B         | 30       | HOLD by 20 again
            SKIP      | 0     | 20B         | 30m      | HOLD by 20 again
            SKIP      | 0     | 20B 25e     | 30       | SKIP by 25
            SKIP      | 0     | 20B 25q     | 30       | SKIP by 25
            SKIP      | 0     | 20b         | 30       | START
            ALLOW     | 1     | 20B         | 30       | START
            QUEUE     | 2     | 20B         | 30       | HOLD by 20
            QUEUE     | 2     | 20b         | 30       | START
            REPLACE   | 0     | 20B         | 30       | HOLD by 20
            REPLACE   | 0     | 40B         | 30       | HOLD by 40
            REPLACE   | 0     | 20B 25q     | 30       | HOLD by 20 skips 25
            REPLACE   | 0     | 20b         | 30       | START
            SKIP      | 0     |             | 20b      | START
            SKIP      | 0     | 30e         | 20b      | HOLD again
            SKIP      | 0     | 30q         | 20b      | HOLD again
            SKIP      | 0     | 30r         | 20b      | HOLD again
            SKIP      | 0     |             | 20b 30   | HOLD again, START
            SKIP      | 0     | 10B         | 20b      | HOLD again
            SKIP      | 0     |             | 20b 25b  | START, HOLD again
            QUEUE     | 2     | 30q         | 20b      | HOLD again
            REPLACE   | 0     | 30e         | 20b      | HOLD again
            ALLOW     | 1     | 30e         | 20b      | START
            ALLOW     | 1     | 30B         | 20b      | HOLD again
            REPLACE   | 0     | 10e         | 20 30 40 | HOLD by 10 kills 10, HOLD by 10 skips 20, HOLD by 10 skips 30
            """)
    void is_decided_on_all_tasks_of_the_job(
            Overlap overlap, int limit, @Nullable String others, String due, String decisions) {
        FirePolicy policy = new FirePolicy(overlap, limit, null, null, true, null, null, null, 0, null, true);
        boolean mayWait = others != null && others.matches(".*[gN].*");
        List<Task> claims = tasks(due);
        List<Task> all = Stream.concat(
                        tasks(others).stream().filter(o -> claims.stream().noneMatch(c -> c.id() == o.id())),
                        claims.stream())
                .toList();
        List<StartFacts> facts = claims.stream()
                .map(task ->
                        new StartFacts(task, Duration.ZERO, true, true, null, null, null, null, policy, mayWait, null))
                .toList();

        List<FireDecision> decided = FireDecision.of(
                facts,
                new FireDecision.Shared(
                        Instant.ofEpochSecond(100),
                        Duration.ofMinutes(1),
                        100,
                        "me",
                        Map.of(1L, all),
                        Map.of(),
                        Map.of(),
                        Map.of(7L, 1)));

        assertThat(decided.stream().map(OverlapDecisionTest::text).collect(Collectors.joining(", ")))
                .isEqualTo(decisions);
        assertThat(decided).allSatisfy(d -> assertThat(d.reason() == null).isEqualTo(d.kind() == DecisionKind.START));
    }

    private static String text(FireDecision decision) {
        return decision.kind()
                + (decision.by() == null ? "" : " by " + decision.by())
                + decision.displaced().stream().map(OverlapDecisionTest::text).collect(Collectors.joining())
                + (decision.until() == null ? "" : " again");
    }

    private static String text(Displaced displaced) {
        boolean executes = displaced.task().state() == TaskState.EXECUTING;
        return (executes ? " kills " : " skips ") + displaced.task().id();
    }

    private static List<Task> tasks(@Nullable String text) {
        return text == null
                ? List.of()
                : Arrays.stream(text.split(" "))
                        .filter(t -> !t.isEmpty())
                        .map(OverlapDecisionTest::task)
                        .toList();
    }

    private static Task task(String text) {
        long second = Long.parseLong(text.replaceAll("[a-zA-Z]", ""));
        String is = text.replaceAll("[0-9]", "");
        return TaskBuilder.task(second, Instant.ofEpochSecond(second))
                .version(is.equals("o") ? 1 : 2)
                .origin(
                        is.equals("m")
                                ? "manual"
                                : is.matches("[EQ]") ? "run:again-7" : is.matches("[Bb]") ? "backfill:7" : "")
                .attempt(is.equals("r") || is.equals("c") ? 2 : 1)
                .cause(
                        switch (is) {
                            case "r" -> Cause.RETRY;
                            case "c" -> Cause.RECOVERY;
                            case "m" -> Cause.MANUAL;
                            case "u" -> Cause.CATCH_UP;
                            case "B", "b" -> Cause.BACKFILL;
                            default -> Cause.SCHEDULE;
                        })
                .state(
                        switch (is) {
                            case "e", "x", "o", "E", "B" -> TaskState.EXECUTING;
                            case "", "p", "m", "u", "b" -> TaskState.PREPARED;
                            default -> TaskState.IDLE;
                        })
                .hold(
                        switch (is) {
                            case "q", "Q" -> Hold.OVERLAP;
                            case "g" -> Hold.GROUP;
                            case "h" -> Hold.PAUSE;
                            case "n", "N" -> Hold.NODE;
                            default -> null;
                        })
                .queued(is.matches("[qwgNQ]"))
                .replaced(is.equals("x"))
                .build();
    }
}
