package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.FireDecision.StartFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FireDecisionTest {

    private static final Duration THRESHOLD = Duration.ofSeconds(60);

    /** The first reason that applies counts; the threshold itself is not too late. */
    @ParameterizedTest
    @CsvSource({
        // cause,  late,   due,   unchanged, executing, slots, decision
        "SCHEDULE, PT1H,   false, false,     true,      0,     EARLY",
        "SCHEDULE, PT1H,   true,  false,     true,      0,     STALE",
        "SCHEDULE, PT1H,   true,  true,      true,      0,     MISFIRED",
        "SCHEDULE, PT60S,  true,  true,      true,      0,     SKIP",
        "SCHEDULE, PT60S,  true,  true,      false,     0,     NO_SLOT",
        "SCHEDULE, PT60S,  true,  true,      false,     -1,    NO_SLOT",
        "SCHEDULE, PT60S,  true,  true,      false,     1,     START",
        "SCHEDULE, PT60.000001S, true, true, false,     1,     MISFIRED",
        "SCHEDULE, PT-1H,  true,  true,      false,     1,     START",
        "RECOVERY, PT1H,   true,  true,      false,     1,     START",
        "RECOVERY, PT1H,   true,  true,      true,      1,     SKIP",
        "CATCH_UP, PT1H,   true,  true,      false,     1,     START",
        "MANUAL,   PT1H,   true,  true,      false,     1,     START",
        "MANUAL,   PT0S,   true,  true,      true,      1,     SKIP",
        "RETRY,    PT1H,   true,  true,      false,     1,     START",
    })
    void one_task(
            Cause cause, Duration late, boolean due, boolean unchanged, boolean executing, int slots, String decision) {
        StartFacts task = new StartFacts(
                live(1, 1, cause),
                late,
                due,
                unchanged,
                executing ? 99L : null,
                null,
                null,
                null,
                FirePolicy.PLAIN,
                false,
                null);

        assertThat(FireDecision.of(List.of(task), shared(slots)))
                .extracting(d -> d.kind().name())
                .containsExactly(decision);
    }

    /** A task by its job and what is the matter with it: e executing, s stale, l late, m misfired, n not due. */
    @ParameterizedTest
    @CsvSource({
        // tasks,           slots, decisions
        "'',                1,     ''",
        "1 1 1,             3,     START SKIP SKIP",
        "1 1 2,             1,     START SKIP NO_SLOT", // what was beaten needs no slot
        "1 2 1 2,           9,     START START SKIP SKIP",
        "1 2 3,             2,     START START NO_SLOT",
        "1 1,               0,     NO_SLOT NO_SLOT", // nothing was started that it could overlap
        "1s 1,              1,     STALE START",
        "1m 1l 2l,          2,     MISFIRED MISFIRED START", // all of a job that is late is decided together
        "1l 1m,             2,     MISFIRED MISFIRED",
        "1l 1ms,            2,     START STALE",
        "1m 1n,             1,     MISFIRED EARLY",
        "1n 1,              1,     EARLY START",
        "1e 2 3,            2,     SKIP START START", // what is skipped takes no slot
        "1e 1e 2,           1,     SKIP SKIP START",
    })
    void several_tasks(String tasks, int slots, String decisions) {
        AtomicLong ids = new AtomicLong();
        List<StartFacts> facts = Arrays.stream(tasks.split(" "))
                .filter(t -> !t.isEmpty())
                .map(t -> task(t, ids.incrementAndGet()))
                .toList();

        assertThat(String.join(
                        " ",
                        FireDecision.of(facts, shared(slots)).stream()
                                .map(d -> d.kind().name())
                                .toList()))
                .isEqualTo(decisions);
    }

    @Test
    void a_skipped_task_says_why_and_nothing_else_does() {
        assertThat(FireDecision.of(List.of(task("1e", 11), task("2", 12), task("2", 13), task("3", 14)), shared(1)))
                .extracting(FireDecision::reason)
                .containsExactly(
                        "task 99 was still executing (overlap SKIP)",
                        null,
                        "task 12, another occurrence of the job, started at the same moment (overlap SKIP)",
                        null);
    }

    private static FireDecision.Shared shared(int slots) {
        return new FireDecision.Shared(Instant.EPOCH, THRESHOLD, slots, "me", Map.of(), Map.of(), Map.of(), Map.of());
    }

    private static Task live(long id, long job, Cause cause) {
        return TaskBuilder.task(id, Instant.EPOCH)
                .job(job)
                .cause(cause)
                .state(TaskState.PREPARED)
                .build();
    }

    private static StartFacts task(String text, long id) {
        Duration late = Duration.ofMinutes(text.contains("m") ? 60 : text.contains("l") ? 1 : 0);
        return new StartFacts(
                live(id, Character.digit(text.charAt(0), 10), Cause.SCHEDULE),
                late,
                !text.contains("n"),
                !text.contains("s"),
                text.contains("e") ? 99L : null,
                null,
                null,
                null,
                FirePolicy.PLAIN,
                false,
                null);
    }
}
