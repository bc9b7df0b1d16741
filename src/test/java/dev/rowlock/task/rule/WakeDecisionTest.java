package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Overlap;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.rule.WakeDecision.WakeRules;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who waits, who has left and how, and who is woken. A task is written as its fire time, in seconds, which is its id
 * too, and what is the matter with it: e executing, x executing and to be killed, q held for its overlap, w the same
 * and woken, g held for its group, n held for a node, h held by a pause, a set aside, p prepared for the first time, r
 * a retry that waits for its time, R one that policy held before, c a recovery that waits.
 */
class WakeDecisionTest {

    @ParameterizedTest(name = "{0}: {2} left by {1}: {3}, as {4}")
    @CsvSource(delimiter = '|', textBlock = """
            # overlap | left | who is there | woken | why
            QUEUE     | RUN  | ''           | ''    | nobody waits
            QUEUE     | RUN  | 20q 30q      | 20    | the earliest goes first
            QUEUE     | RUN  | 30q 20q      | 20    | whatever order they are read in
            QUEUE     | RUN  | 10e 20q      | ''    | one that executes tells when it ends
            QUEUE     | RUN  | 10x 20q      | ''    | so does one that is being killed
            QUEUE     | RUN  | 10r 20q      | ''    | a retry keeps its place and tells when it has run
            QUEUE     | RUN  | 10c 20q      | ''    | so does a recovery
            QUEUE     | RUN  | 30r 20q      | 20    | a later retry is in nobody's way
            QUEUE     | RUN  | 10w 20q      | ''    | one that was woken is on its way
            QUEUE     | RUN  | 10g 20q      | ''    | one that waits for its group tells when it has run
            QUEUE     | RUN  | 10h 20q      | 20    | one that is paused lets others by
            QUEUE     | RUN  | 10a 20q      | 20    | so does one that is set aside
            QUEUE     | RUN  | 10n 20q      | 20 10 | so does one that waits for a node, and there may be room now
            QUEUE     | RUN  | 30p 20q      | 20    | one that was only prepared decides when it is due
            QUEUE     | RUN  | 10p 20q      | 20    | likewise, and then the other decides again
            QUEUE     | TURN | 20q 30q      | 20    | the first was cancelled, missed or set aside
            QUEUE     | TURN | 10n 20q      | 20    | it waits for a node and is not woken for that
            QUEUE     | TURN | 10e 20q      | ''    | one behind it has left
            REPLACE   | RUN  | 20q          | 20    | its victim is dead
            REPLACE   | RUN  | 10e 20q      | ''    | another victim is not
            REPLACE   | RUN  | 10r 20q      | 20    | a retry that waits is not in its way
            REPLACE   | RUN  | 10c 20q      | 20    | nor is a recovery
            REPLACE   | RUN  | 10R 20q      | ''    | one whose time has come decides first
            REPLACE   | RUN  | 10w 20q      | ''    | a rerun that was woken goes first
            REPLACE   | TURN | 10r 20q      | 20    | the one in between was cancelled
            SKIP      | RUN  | 10r 20q      | 20    | a run that was to queue by itself, and no retry keeps it
            ALLOW     | RUN  | 10n 20n 30n  | 10 20 30 | there may be room on a node
            ALLOW     | TURN | 10n 20n      | ''    | nothing has ended there
            ALLOW     | RUN  | 1n 2n 3n 4n 5n 6n 7n 8n 9n | 1 2 3 4 5 6 7 8 | more come when these have started
            ALLOW     | RUN  | 10g          | ''    | who waits for a group is woken by its slots
            """)
    void is_by_turn(Overlap overlap, FreedResource left, String there, String woken, String why) {
        List<Task> tasks = tasks(there);
        Map<Long, Overlap> overlaps = tasks.stream().collect(Collectors.toMap(Task::id, task -> overlap));

        assertThat(WakeDecision.of(tasks, left, new WakeRules(null, overlaps)).stream()
                        .map(task -> Long.toString(task.id()))
                        .collect(Collectors.joining(" ")))
                .as(why)
                .isEqualTo(woken);
    }

    /** Only then is it read, so that the end of a task costs no statement more. */
    @ParameterizedTest
    @CsvSource({
        "10r 20q, true",
        "10c 20q, true",
        "20q 30r, false",
        "10e 10r 20q, false",
        "10r, false",
        "10w 20r 30q, false"
    })
    void depends_on_the_overlap_only_behind_what_waits_for_its_time(String there, boolean ambiguous) {
        assertThat(WakeDecision.isAmbiguous(tasks(there))).isEqualTo(ambiguous);
    }

    private static List<Task> tasks(String text) {
        return Arrays.stream(text.split(" "))
                .filter(task -> !task.isEmpty())
                .map(WakeDecisionTest::task)
                .toList();
    }

    private static Task task(String text) {
        long second = Long.parseLong(text.replaceAll("[a-zA-Z]", ""));
        String is = text.replaceAll("[0-9]", "");
        @Nullable
        Hold hold = switch (is) {
            case "q" -> Hold.OVERLAP;
            case "g" -> Hold.GROUP;
            case "n" -> Hold.NODE;
            case "h" -> Hold.PAUSE;
            case "a" -> Hold.ERROR;
            default -> null;
        };
        return TaskBuilder.task(second, Instant.ofEpochSecond(second))
                .version(2)
                .cause(
                        switch (is) {
                            case "r", "R" -> Cause.RETRY;
                            case "c" -> Cause.RECOVERY;
                            default -> Cause.SCHEDULE;
                        })
                .state(
                        is.equals("e") || is.equals("x")
                                ? TaskState.EXECUTING
                                : is.equals("p") ? TaskState.PREPARED : TaskState.IDLE)
                .hold(hold)
                .queued(hold != null || is.equals("w") || is.equals("R"))
                .replaced(is.equals("x"))
                .build();
    }
}
