package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.explain.Explanation;
import dev.rowlock.explain.Explanation.Lateness;
import dev.rowlock.explain.Explanation.Verdict;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said of each kind of occurrence, and of each instant without one: a table of situations. */
class ExplainTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    /**
     * @param play what happens, and what is asked then
     * @param summary with # for the numbers of tasks
     */
    record Situation(String name, String verdict, String summary, Function<ExplainStage, Explanation> play) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Situation> situations() {
        return Stream.of(
                        ExplainedSchedules.situations(),
                        ExplainedPolicies.situations(),
                        ExplainedPlaces.situations(),
                        ExplainedFaults.situations())
                .flatMap(s -> s);
    }

    @ParameterizedTest
    @MethodSource("situations")
    void it_says(Situation situation) throws IOException {
        try (ExplainStage stage = new ExplainStage(SERVER, dir)) {
            Explanation said = situation.play.apply(stage);
            String summary = normalized(said.summary());
            String expected = situation.verdict + " " + situation.summary;
            if (expected.endsWith("…")) {
                assertThat(said.verdict() + " " + summary).startsWith(expected.replace("…", ""));
            } else {
                assertThat(said.verdict() + " " + summary).isEqualTo(expected);
            }
            holdsTogether(said);
        }
    }

    @Test
    void after_the_last_of_its_runs_there_is_no_next_fire_time() throws IOException {
        try (ExplainStage stage = new ExplainStage(SERVER, dir)) {
            stage.put("j", "'schedule': '* * * * *', 'maxRuns': 2");
            stage.work(190);

            Explanation first = stage.at("j", ExplainStage.time("10:01:00"));
            Explanation last = stage.at("j", ExplainStage.time("10:02:00"));

            assertThat(first.next()).extracting(Explanation.Next::fireTime).isEqualTo(ExplainStage.time("10:02:00"));
            assertThat(last.next()).isNull();
        }
    }

    @Test
    void nothing_is_unknown_of_a_job_that_there_was_not() throws IOException {
        try (ExplainStage stage = new ExplainStage(SERVER, dir)) {
            stage.put("j", "'schedule': '* * * * *'");

            Explanation said = stage.at("j", ExplainStage.time("2001-01-01T00:00:00Z"));

            assertThat(said.verdict()).isEqualTo(Verdict.NO_JOB);
            assertThat(said.notKnown()).isEmpty();
        }
    }

    /** What programs read says the same. */
    private static void holdsTogether(Explanation said) {
        assertThat(said.steps()).isSortedAccordingTo(Comparator.comparing(Explanation.Step::at));
        if (said.task() == null) {
            assertThat(said.lateness()).isNull();
            return;
        }
        assertThat(said.attempts())
                .filteredOn(attempt -> attempt.id() == said.task())
                .singleElement()
                .satisfies(it -> {
                    assertThat(said.verdict() == Verdict.RAN || said.verdict() == Verdict.DID_NOT_RUN)
                            .isEqualTo(it.outcome() != null);
                    assertThat(said.lateness() == null).isEqualTo(it.startedAt() == null);
                });
        @Nullable Lateness late = said.lateness();
        if (late != null) {
            assertThat(late.holdMs() + late.nobodyMs() + late.slotMs() + late.takeoverMs() + late.otherMs())
                    .isEqualTo(late.totalMs());
        }
    }

    /** Without the numbers of tasks, the names of nodes of which any may be the one, and what depends on them. */
    private static String normalized(String summary) {
        return summary.replaceAll("\\btask \\d+", "task #")
                .replaceAll("10:01:2\\d\\.\\d{3}Z", "10:01:2#Z")
                .replaceAll("\\bnode [ab]\\b", "node #")
                .replaceAll("(\\(RETRY\\) ran .* after) \\w+:", "$1 #:");
    }
}
