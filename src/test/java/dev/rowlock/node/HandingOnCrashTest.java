package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.definition.GroupDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.job.group.Groups;
import dev.rowlock.job.store.GroupStore;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Trap;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.GroupWaits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node records the end of a task and, in the same transaction, prepares what waited for it. It is cut off at each
 * statement of that, and then dies, comes back, or goes on: what waited runs in its order, once, and never beside
 * another.
 */
@Timeout(300)
class HandingOnCrashTest extends NodeByHand {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String OPEN = "live_task where cursor_of is null";

    /** What the first of them waits for. */
    private enum Waiting {
        /** The task before it, of a job that queues. */
        QUEUE,
        /** The only slot of a group of three jobs. */
        GROUP
    }

    /** What becomes of the node that is cut off. */
    private enum Fate {
        /** kill -9, and nobody starts it again: what its memory knew and its journal has is gone. */
        DIES,
        /** kill -9, and it is started again under its name, beside what its journal has. */
        COMES_BACK,
        /** It lost its connection, and nothing else. */
        GOES_ON
    }

    private GroupWaits waits;
    private Groups groups;
    private TcpRelay relay;
    /** The node behind the relay, in its life of the moment. */
    private HandDrivenNode cut;

    private final List<LaunchSpec> startedByTheDead = new ArrayList<>();
    private int round;

    static Stream<Arguments> fates() {
        return Stream.of(Waiting.values())
                .flatMap(waiting -> Stream.of(Fate.values()).map(fate -> Arguments.of(waiting, fate)))
                .skip(1);
    }

    @BeforeEach
    void joinAnother() throws IOException {
        groups = new Groups(new GroupStore(database), new TaskQueries(database), () -> {});
        waits = new GroupWaits(database);
        groups.put("g", new GroupDefinition(1, ""));
        relay = playground.relay();
        cut = playground.joined("cut", playground.address(relay));
    }

    @Test
    void what_waits_runs_once_wherever_the_node_dies_that_hands_on() throws InterruptedException {
        runsOnce(Waiting.QUEUE, Fate.DIES);
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}, and the node {1}")
    @MethodSource("fates")
    void what_waits_runs_once_whatever_it_waits_for_and_whatever_becomes_of_the_node(Waiting waiting, Fate fate)
            throws InterruptedException {
        runsOnce(waiting, fate);
    }

    private void runsOnce(Waiting waiting, Fate fate) throws InterruptedException {
        boolean sprung = true;
        while (sprung) {
            int statement = round + 1;
            sprung = happens(waiting, fate, "before statement " + statement, numbered(statement), false);
        }
        assertThat(round).as("it was cut off at each statement").isGreaterThan(8);
        assertThat(happens(waiting, fate, "after the commit", TcpRelay.commit(), true))
                .isTrue();
    }

    /** Whether the node was cut off there. */
    private boolean happens(Waiting waiting, Fate fate, String where, Predicate<String> at, boolean afterAnswer)
            throws InterruptedException {
        round++;
        List<Long> runs = threeRuns(waiting);
        cut.keeper.runOnce();
        cut.schedule();
        assertThat(executing()).as(where).containsExactly(runs.get(0));
        cut.processes.end(0);
        Trap trap = afterAnswer ? relay.cutAfter(at) : relay.cutBefore(at);

        Throwable thrown = catchThrowable(cut.recorder::runOnce);
        assertThat(thrown == null || thrown instanceof DatabaseUnavailable)
                .as("%s: %s", where, thrown)
                .isTrue();
        boolean sprung = thrown == null ? trap.hasSprung() : trap.awaitSprung(LIMIT);
        relay.passThrough();
        befalls(fate);
        for (int i = 0; i < 12 && rows.count(OPEN) > 0; i++) {
            goOn(where);
        }

        boolean mayBeLost = fate == Fate.DIES && sprung && !afterAnswer;
        check(waiting, where, runs, mayBeLost);
        return sprung;
    }

    /** The first executes soon, and the others wait for it. */
    private List<Long> threeRuns(Waiting waiting) {
        List<Long> runs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String name = "j" + round + (waiting == Waiting.QUEUE ? "" : "-" + i);
            if (i == 0 || waiting == Waiting.GROUP) {
                jobs.create(
                        PlayedCluster.json("{\"name\": \"%s\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", %s}"
                                .formatted(
                                        name,
                                        waiting == Waiting.QUEUE ? "\"overlap\": \"QUEUE\"" : "\"group\": \"g\"")));
            }
            runs.add(jobs.run(new JobKey("default", name), null).task());
        }
        return runs;
    }

    private void befalls(Fate fate) {
        switch (fate) {
            case GOES_ON -> {}
            case DIES -> {
                String session = cut.session();
                kill();
                long beat = Long.parseLong(
                        Objects.requireNonNull(rows.one("select beat from session where id = '" + session + "'")));
                assertThat(a.sessions.expire(a.session(), session, beat, "gone"))
                        .isTrue();
                cut = playground.joined("cut" + round, playground.address(relay)); // with no journal to read
            }
            case COMES_BACK -> {
                kill();
                cut = playground.joined("cut", playground.address(relay));
            }
        }
    }

    /** It grows with each start. */
    private static long token(LaunchSpec spec) {
        return Long.parseLong(String.valueOf(spec.environment().get("ROWLOCK_FENCING_TOKEN")));
    }

    private void kill() {
        startedByTheDead.addAll(cut.processes.started);
        playground.nodes.remove(cut);
        cut.close();
    }

    /** Some of everything that nodes do. */
    private void goOn(String where) {
        rows.run("update task_wait set woken_at = woken_at - interval 3 second where woken_at is not null");
        waits.wake();
        for (HandDrivenNode node : playground.nodes) {
            node.compensator.runOnce();
            node.schedule();
            assertThat(executing()).as(where).hasSizeLessThanOrEqualTo(1);
            node.processes.end(0);
            node.recorder.runOnce();
        }
    }

    private void check(Waiting waiting, String where, List<Long> runs, boolean mayBeLost) {
        assertThat(rows.count(OPEN) + rows.count("group_slot") + rows.count("task_wait"))
                .as("%s: what is left", where)
                .isZero();
        String ofThese = "task_history where (job = 'j%1$d' or job like 'j%1$d-%%')".formatted(round);
        assertThat(rows.count(ofThese + " and outcome = 'SUCCEEDED'")).as(where).isEqualTo(3);
        assertThat(rows.all("select id, outcome from " + ofThese + " and outcome <> 'SUCCEEDED'"))
                .as(where)
                .isEqualTo(mayBeLost ? List.of(Map.of("id", runs.get(0).toString(), "outcome", "LOST")) : List.of());
        assertThat(started().map(HandingOnCrashTest::attempt).toList())
                .as(where)
                .doesNotHaveDuplicates()
                .hasSize((int) rows.count("task_history where started_at is not null"));
        if (waiting == Waiting.QUEUE) {
            assertThat(started()
                            .sorted(Comparator.comparing(HandingOnCrashTest::token))
                            .map(spec -> spec.environment().get("ROWLOCK_TASK_ID")))
                    .as(where)
                    .containsSubsequence(runs.get(1).toString(), runs.get(2).toString());
        }
    }

    private Stream<LaunchSpec> started() {
        return Stream.concat(
                startedByTheDead.stream(), playground.nodes.stream().flatMap(node -> node.processes.started.stream()));
    }

    private static String attempt(LaunchSpec spec) {
        return spec.environment().get("ROWLOCK_TASK_ID") + " "
                + spec.environment().get("ROWLOCK_ATTEMPT");
    }

    private static Predicate<String> numbered(int statement) {
        return new Predicate<>() {
            private int seen;

            @Override
            public boolean test(String sql) {
                return !isSetUp(sql) && ++seen == statement;
            }
        };
    }

    /** What the driver and the pool ask of each connection that they open. */
    private static boolean isSetUp(String sql) {
        String start = sql.strip().toLowerCase(Locale.ROOT);
        return start.startsWith("set ") || start.startsWith("/*");
    }

    private List<Long> executing() {
        return rows.all("select id from live_task where state = 'EXECUTING' order by id").stream()
                .map(row -> Long.valueOf(Objects.requireNonNull(row.get("id"))))
                .toList();
    }
}
