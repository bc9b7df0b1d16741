package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Marks.Mark;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes on one database. Each test has a namespace of jobs to itself and finds three nodes running. */
@Order(1)
@Tag("database")
class NodesAsProcessesTest {

    @RegisterExtension
    static final TestDatabase database = TestDatabase.withoutTables();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static @Nullable Cluster shared;
    private final Rows rows = new Rows(database);

    @BeforeAll
    static void make() throws Exception {
        shared = new Cluster(dir, NodeProcess.on(database), new Rows(database));
    }

    @AfterAll
    static void end() throws Exception {
        cluster().close();
    }

    /** The first time, three nodes start at once on an empty database. */
    @BeforeEach
    void three_nodes_run() throws Exception {
        cluster().haveRunning("a", "b", "c");
        Until.holds(SOON, "three sessions", () -> rows.count("session") == 3);
    }

    @Test
    void three_nodes_share_the_work_and_each_occurrence_runs_once() throws Exception {
        cluster().eachSecond("share", 30);
        cluster().awaitRuns("share", 30 * 8);
        cluster().settle("share", 30);

        assertThat(
                        rows.count(
                                "task_history where namespace = 'share' and outcome not in ('SUCCEEDED', 'CANCELLED', 'SKIPPED')"))
                .isZero();
        Map<@Nullable String, Long> byNode = cluster().marks.starts("share").stream()
                .collect(Collectors.groupingBy(Mark::node, Collectors.counting()));
        assertThat(byNode)
                .containsOnlyKeys("a", "b", "c")
                .allSatisfy((node, runs) -> assertThat(runs).isGreaterThan(24));
        Cluster.report("lateness at 30 jobs a second: " + casualties().lateness("share"));
        assertThat(cluster().number("select max(lateness_ms) from task_history where namespace = 'share'"))
                .isLessThan(Cluster.TIMEOUT.toMillis());
    }

    @Test
    void of_a_killed_node_others_run_what_was_prepared_and_what_was_executing_again_and_nothing_of_it_survives()
            throws Exception {
        String victim = casualties().withExecuting("kill9");
        cluster().eachSecond("kill9-ahead", 12);
        cluster().awaitRuns("kill9-ahead", 24);
        String session = cluster().sessionOf(victim);
        casualties().awaitPrepared(session);

        long killed = Uptime.millis();
        cluster().node(victim).kill();
        long dead = Cluster.awaitNoProcessOf(session);

        casualties().awaitRecovered("kill9", session);
        casualties().reportRecovery("killed, seen to be gone", "kill9", session, killed);
        casualties().assertNoOverlap("kill9", session, dead);
        cluster().awaitRunsAfter("kill9-ahead", killed + 5000);
        casualties().assertOthersTookOver("kill9-ahead", killed);
        cluster().settle("kill9-ahead", 12);
        casualties().endAll("kill9");
    }

    /** As if it had been on another host: nobody can see that its process is gone. */
    @Tag("slow")
    @Test
    void of_a_killed_node_on_another_host_what_was_prepared_is_taken_over_before_its_session_expires()
            throws Exception {
        String victim = casualties().withExecuting("far");
        cluster().eachSecond("far-ahead", 12);
        cluster().awaitRuns("far-ahead", 24);
        String session = cluster().sessionOf(victim);
        casualties().awaitPrepared(session);
        rows.run("update session set boot_id = 'elsewhere' where id = '" + session + "'");

        long killed = Uptime.millis();
        cluster().node(victim).kill();
        long dead = Cluster.awaitNoProcessOf(session);

        cluster().awaitRunsAfter("far-ahead", killed + 2500);
        assertThat(rows.count("session where id = '" + session + "'"))
                .as("not expired yet")
                .isOne();
        casualties().assertOthersTookOver("far-ahead", killed);
        casualties().awaitRecovered("far", session);
        long lost = casualties().reportRecovery("killed on another host", "far", session, killed);
        assertThat(lost)
                .as("not before its silence was longer than the timeout")
                .isGreaterThan(Cluster.TIMEOUT.toMillis() - 1000);
        casualties().assertNoOverlap("far", session, dead);
        cluster().settle("far-ahead", 12);
        casualties().endAll("far");
    }

    @Tag("slow")
    @Test
    void commands_of_a_frozen_node_are_dead_before_its_session_expires_and_its_late_results_change_nothing()
            throws Exception {
        String victim = casualties().withExecuting("frozen");
        String session = cluster().sessionOf(victim);
        NodeProcess node = cluster().node(victim);

        long frozen = Uptime.millis();
        node.freeze();
        long dead = Cluster.awaitNoProcessOf(session);
        assertThat(rows.count("session where id = '" + session + "'"))
                .as("not expired yet")
                .isOne();
        assertThat(dead - frozen).isLessThan(Cluster.FENCE.toMillis() + 1500);
        Until.holds(SOON, "its expiry", () -> rows.count("session where id = '" + session + "'") == 0);
        long expired = Uptime.millis();
        casualties().awaitRecovered("frozen", session);
        casualties().reportRecovery("frozen", "frozen", session, frozen);
        Cluster.report("frozen: commands dead after " + (dead - frozen) + " ms, session expired after "
                + (expired - frozen) + " ms");
        casualties().assertNoOverlap("frozen", session, dead);

        List<Map<String, @Nullable String>> before = casualties().historyOf("frozen");
        node.thaw();
        String again = Until.is(
                SOON,
                "a new session of " + victim,
                () -> rows.one("select id from session where node = '" + victim + "'"));
        assertThat(again).isNotEqualTo(session);
        cluster().run("frozen", "after");
        Until.holds(
                SOON,
                "a job run after that",
                () -> rows.count("task_history where namespace = 'frozen' and job = 'after' and outcome = 'SUCCEEDED'")
                        == 1);
        assertThat(casualties().historyOf("frozen")).containsAll(before);
        assertThat(Marks.doubles(cluster().marks.starts("frozen"))).isEmpty();
        casualties().endAll("frozen");
    }

    @Tag("slow")
    @Test
    void a_stopping_node_gives_back_waits_kills_what_is_left_and_leaves() throws Exception {
        String victim = casualties().withExecuting("term");
        cluster().eachSecond("term-ahead", 12);
        cluster().awaitRuns("term-ahead", 24);
        String session = cluster().sessionOf(victim);
        casualties().awaitPrepared(session);
        NodeProcess node = cluster().node(victim);

        long asked = Uptime.millis();
        node.terminate();
        Until.holds(
                Cluster.SHUTDOWN_GRACE.minusSeconds(1),
                "its prepared tasks given back",
                () -> casualties().heldBy(session, "PREPARED") == 0);
        assertThat(casualties().heldBy(session, "EXECUTING"))
                .as("commands that it waits for")
                .isPositive();
        assertThat(node.isAlive()).isTrue();
        assertThat(node.awaitExit(SOON)).as(node.log()).isZero();

        assertThat(Uptime.millis() - asked).isGreaterThanOrEqualTo(Cluster.SHUTDOWN_GRACE.toMillis());
        assertThat(rows.count("session where id = '" + session + "'")).isZero();
        assertThat(Cluster.processesOf(session)).isEmpty();
        assertThat(casualties().outcomes("term", session)).containsOnly("LOST the node was stopped");
        casualties().awaitRecovered("term", session);
        assertThat(casualties().keptOutputs(session))
                .as("outputs stored before it ended")
                .isEqualTo(casualties().outcomes("term", session).size());
        cluster().awaitRunsAfter("term-ahead", asked + 3000);
        assertThat(casualties().longestGap("term-ahead", asked))
                .as("milliseconds between two runs of a job each second")
                .isLessThan(Cluster.TIMEOUT.toMillis());
        cluster().settle("term-ahead", 12);
        casualties().endAll("term");
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "hup"})
    void a_command_that_ends_within_the_grace_of_a_stop_keeps_its_outcome(String signal) throws Exception {
        cluster().job(signal, "short", "@manual", "sleep 1");
        long task = cluster().run(signal, "short");
        Mark start = Until.is(
                SOON,
                "its start",
                () -> cluster().marks.starts(signal).stream().findFirst().orElse(null));
        NodeProcess node = cluster().node(start.node());

        if (signal.equals("int")) {
            node.interrupt();
        } else {
            node.hangUp();
        }

        assertThat(node.awaitExit(SOON)).as(node.log()).isZero();
        assertThat(rows.one("select outcome from task_history where id = " + task))
                .isEqualTo("SUCCEEDED");
        assertThat(rows.count("session where id = '" + start.session() + "'")).isZero();
    }

    @Tag("slow")
    @Test
    void a_second_signal_ends_a_node_at_once_and_its_guard_ends_the_commands() throws Exception {
        String victim = casualties().withExecuting("twice");
        String session = cluster().sessionOf(victim);
        NodeProcess node = cluster().node(victim);

        node.terminate();
        node.awaitLog("SIGTERM: stopping", SOON);
        long noticed = Uptime.millis();
        Until.holds(SOON, "more time than one request may take to arrive twice", () -> Uptime.millis() - noticed > 350);
        long again = Uptime.millis();
        node.terminate();

        assertThat(node.awaitExit(SOON)).isEqualTo(137);
        long dead = Cluster.awaitNoProcessOf(session);
        assertThat(dead - again).as("without the grace").isLessThan(Cluster.SHUTDOWN_GRACE.toMillis() - 1000);
        casualties().endAll("twice");
    }

    @Tag("slow")
    @Test
    void a_killed_node_that_comes_back_under_its_name_joins_at_once_and_ends_its_earlier_life() throws Exception {
        String victim = casualties().withExecuting("back");
        String session = cluster().sessionOf(victim);
        rows.run("update session set capacity = 1 where id = '" + session + "'");

        cluster().node(victim).kill();
        cluster().start(victim).awaitReady(SOON);

        assertThat(rows.all("select id from session where node = '" + victim + "'"))
                .hasSize(1)
                .noneMatch(row -> session.equals(row.get("id")));
        assertThat(Cluster.processesOf(session)).isEmpty();
        casualties().awaitRecovered("back", session);
        long lost = rows.count(
                "task_history where outcome = 'LOST' and namespace = 'back' and session_id = '" + session + "'");
        Until.holds(
                SOON,
                "the output of what was lost with the earlier life",
                () -> casualties().keptOutputs(session) == lost);
        casualties().endAll("back");
    }

    private static Cluster cluster() {
        return Objects.requireNonNull(shared);
    }

    private static Casualties casualties() {
        return new Casualties(cluster());
    }
}
