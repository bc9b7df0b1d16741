package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.report.explain.Explanation;
import dev.rowlock.report.explain.Explanation.Lateness;
import dev.rowlock.report.explain.Explanation.NextAttempt;
import dev.rowlock.report.explain.Explanation.TimelineStep;
import dev.rowlock.report.explain.Explanation.Verdict;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What is said of each kind of occurrence, and of each instant without one: a table of situations. */
@Tag("database")
class ExplainTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    /**
     * @param play what happens, and what is asked then
     * @param summary with # for the numbers of tasks
     */
    record Situation(String name, String verdict, String summary, Consumer<ExplainScript> play) {}

    /**
     * Situations on one stage, each about a job of its own.
     *
     * @param works whether all that is started ends well at once
     */
    private record Play(String name, int capacity, boolean works, List<Situation> situations) {}

    private static Stream<Play> plays() {
        return Stream.concat(
                Stream.of(
                        played(
                                "what is started ends at once",
                                true,
                                List.of(ExplainedSchedules.worked(), ExplainedPolicies.limits())),
                        played(
                                "what is started executes",
                                false,
                                List.of(
                                        ExplainedPolicies.executing(),
                                        ExplainedPlaces.executing(),
                                        ExplainedFaults.starts())),
                        played("a long outage", true, List.of(ExplainedPolicies.outages())),
                        played("a short outage", true, List.of(ExplainedPolicies.shortOutages())),
                        new Play(
                                "three slots", 3, false, ExplainedPlaces.slots().toList()),
                        played("broadcasts", false, List.of(ExplainedPlaces.broadcasts())),
                        played("a killed node", false, List.of(ExplainedFaults.killed()))),
                Stream.of(ExplainedPolicies.alone(), ExplainedPlaces.alone(), ExplainedFaults.alone())
                        .flatMap(situations -> situations)
                        .map(situation -> new Play(situation.name, 100, false, List.of(situation))));
    }

    private static Play played(String name, boolean works, List<Stream<Situation>> situations) {
        return new Play(
                name, 100, works, situations.stream().flatMap(some -> some).toList());
    }

    @TestFactory
    Stream<DynamicContainer> it_says() {
        return plays().map(play ->
                DynamicContainer.dynamicContainer(play.name, Stream.of(play).flatMap(this::played)));
    }

    private Stream<DynamicTest> played(Play play) {
        List<ExplainScript> scripts = new ArrayList<>();
        for (Situation situation : play.situations) {
            ExplainScript script = new ExplainScript("job-" + scripts.size());
            situation.play.accept(script);
            scripts.add(script);
        }
        try (ExplainStage stage = new ExplainStage(SERVER, dir, play.capacity, play.works)) {
            stage.play(scripts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return IntStream.range(0, scripts.size()).mapToObj(i -> {
            Situation situation = play.situations.get(i);
            return DynamicTest.dynamicTest(situation.name, () -> isSaid(situation, scripts.get(i)));
        });
    }

    private static void isSaid(Situation situation, ExplainScript script) {
        Explanation said = script.said();
        String summary =
                said.verdict() + " " + normalized(said.summary().replace("default/" + script.job(), "default/j"));
        String expected = situation.verdict + " " + situation.summary;
        if (expected.endsWith("…")) {
            assertThat(summary).startsWith(expected.replace("…", ""));
        } else {
            assertThat(summary).isEqualTo(expected);
        }
        holdsTogether(said);
    }

    @Test
    void after_the_last_of_its_runs_there_is_no_next_fire_time_and_nothing_is_unknown_of_a_job_that_there_was_not()
            throws IOException {
        try (ExplainStage stage = new ExplainStage(SERVER, dir, 3, true)) {
            stage.put("j", "'schedule': '* * * * *', 'maxRuns': 2");
            Explanation before = stage.at("j", ExplainStage.time("2001-01-01T00:00:00Z"));
            stage.pass(190);

            Explanation first = stage.at("j", ExplainStage.time("10:01:00"));
            Explanation last = stage.at("j", ExplainStage.time("10:02:00"));

            assertThat(first.next()).extracting(NextAttempt::fireTime).isEqualTo(ExplainStage.time("10:02:00"));
            assertThat(last.next()).isNull();
            assertThat(before.verdict()).isEqualTo(Verdict.NO_JOB);
            assertThat(before.next()).as("nothing that lay before it, too").isNull();
            assertThat(before.notKnown()).isEmpty();
        }
    }

    /** What programs read says the same. */
    private static void holdsTogether(Explanation said) {
        assertThat(said.steps()).isSortedAccordingTo(Comparator.comparing(TimelineStep::at));
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
        return summary.replaceAll("\\b([Tt]ask) \\d+", "$1 #")
                .replaceAll("10:01:2\\d\\.\\d{3}Z", "10:01:2#Z")
                .replaceAll("\\bnode [ab]\\b", "node #")
                // When a retry is due, to a part of a second, follows from its id.
                .replaceAll("(\\(RETRY\\) ran on node #, started) 1s late \\(1s [^)]*\\)", "$1 on time")
                .replaceAll("(\\(RETRY\\) ran .* after) \\w+:", "$1 #:");
    }
}
