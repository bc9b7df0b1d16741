package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.exec.StopCause;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of commands that a stopping node has to end. */
@Tag("database")
class StopTest {

    private static final String HISTORY =
            "select group_concat(concat(outcome, ' ', attempt, ' ', reason) order by id) from task_history";

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private HandDrivenNode a;

    @BeforeEach
    void join() {
        playground = new Playground(SERVER, dir);
        a = playground.joined("a", playground.address());
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void what_a_stopping_node_ends_is_lost_and_run_again_at_once_by_another() {
        HandDrivenNode b = playground.joined("b", playground.address());
        execute(a);

        stop(a);
        b.keeper.runOnce();
        b.schedule();

        assertThat(playground.rows.one(HISTORY)).isEqualTo("LOST 1 the node was stopped");
        assertThat(playground.rows.one("select exit_code from task_history")).isEqualTo("143");
        assertThat(b.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment())
                        .containsEntry("ROWLOCK_CAUSE", "RECOVERY")
                        .containsEntry("ROWLOCK_ATTEMPT", "2"));
        assertThat(playground.rows.one("select reason from session_past where node = 'a'"))
                .isEqualTo("stopped in order");
    }

    @Test
    void what_is_recorded_before_the_node_leaves_is_free_for_others_from_then_on() {
        HandDrivenNode b = playground.joined("b", playground.address());
        execute(a);
        a.localTasks.drain();

        a.processes.stop(StopCause.SHUTDOWN);
        a.recorder.runOnce();
        b.schedule();

        assertThat(playground.rows.count("session where node = 'a'")).isEqualTo(1);
        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void what_was_killed_on_request_meanwhile_is_not_run_again() {
        execute(a);
        a.localTasks.drain();

        a.processes.stop(StopCause.REQUEST);
        a.departure.leave();

        assertThat(playground.rows.one(HISTORY)).isEqualTo("KILLED 1 killed on request");
        assertThat(playground.rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void stops_do_not_count_against_the_limit_of_losses() {
        long task = execute(a);
        String fireTime = playground.rows.one("select fire_time from live_task where id = " + task);
        HandDrivenNode node = a;
        for (int stopped = 1; stopped <= 6; stopped++) {
            stop(node);
            assertThat(
                            playground.rows.one(
                                    "select concat(attempt, ' ', due_at <= utc_timestamp(3)) from live_task where cause = 'RECOVERY'"))
                    .as("after stop " + stopped)
                    .isEqualTo((stopped + 1) + " 1");
            node = playground.joined("life" + stopped, playground.address());
            node.schedule();
            assertThat(node.processes.started).hasSize(1);
        }
        node.processes.end(0);
        node.recorder.runOnce();

        assertThat(playground.rows.one(
                        "select concat(outcome, ' ', attempt) from task_history where outcome <> 'LOST' and fire_time = '"
                                + fireTime + "'"))
                .isEqualTo("SUCCEEDED 7");
    }

    @Test
    void a_node_stops_in_order_though_the_database_refuses_what_it_gives_back() {
        execute(a);
        playground.rows.run("create trigger broken before update on task for each row signal sqlstate 'HY000'"
                + " set mysql_errno = 1969, message_text = 'broken'");
        try {
            a.localTasks.drain();
            a.departure.giveBackPrepared();
            a.processes.stop(StopCause.SHUTDOWN);
            a.departure.leave();
        } finally {
            playground.rows.run("drop trigger broken");
        }
    }

    /** Here the lock rows are gone. The journal keeps the result, and the session expires by itself. */
    @Test
    void a_node_stops_in_order_whatever_keeps_its_results_from_being_recorded() {
        execute(a);
        playground.rows.run("update cluster_lock set name = concat('x', name) where name like 'task-%'");
        try {
            a.localTasks.drain();
            a.processes.stop(StopCause.SHUTDOWN);
            a.departure.giveBackPrepared();
            a.departure.leave();
        } finally {
            playground.rows.run("update cluster_lock set name = substring(name, 2) where name like 'xtask-%'");
        }
        assertThat(playground.rows.count("session where node = 'a'")).isEqualTo(1);
        assertThat(a.lease.current()).isPresent();
    }

    @Test
    void a_command_that_stops_every_node_is_given_up_in_the_end() {
        execute(a);
        HandDrivenNode node = a;
        int lives = 0;
        while (!node.processes.started.isEmpty()) {
            stop(node);
            node = playground.joined("life" + ++lives, playground.address());
            node.schedule();
            assertThat(lives).isLessThan(20);
        }

        assertThat(playground.rows.count("task_history where outcome = 'LOST'")).isEqualTo(11);
        assertThat(playground.rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void a_command_that_even_kill_did_not_end_is_not_run_beside_itself() {
        execute(a);
        a.localTasks.drain();

        a.processes.survive(StopCause.SHUTDOWN);
        a.departure.leave();

        assertThat(playground.rows.one(HISTORY)).startsWith("FAILED 1 the node was stopped; could not be killed");
        assertThat(playground.rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    /** The database is away when the node stops: the journal keeps what became of the command, and the next life delivers it. */
    @Test
    void what_was_ended_while_the_database_was_away_is_lost_and_run_again_when_the_node_is_back() throws IOException {
        TcpRelay relay = playground.relay();
        HandDrivenNode c = playground.joined("c", playground.address(relay));
        a.departure.leave();
        execute(c);
        relay.goAway();

        c.localTasks.drain();
        c.processes.stop(StopCause.SHUTDOWN);
        assertThatThrownBy(c.recorder::runOnce).isInstanceOf(DatabaseUnavailable.class);
        c.departure.leave();
        playground.nodes.remove(c);
        c.close();
        HandDrivenNode next = playground.joined("c", playground.address());
        next.schedule();

        assertThat(playground.rows.one(HISTORY)).isEqualTo("LOST 1 the node was stopped");
        assertThat(next.processes.started).hasSize(1);
    }

    /** It was the only node, and nobody comes for hours. */
    @Test
    void whichever_node_comes_next_runs_it_again_however_late() throws IOException {
        try (PlayedCluster cluster =
                new PlayedCluster(SERVER, dir.resolve("played"), Instant.parse("2026-03-01T10:00:00Z"))) {
            cluster.put("daily", "\"schedule\": \"0 12 * * *\", \"zone\": \"UTC\"");
            cluster.time.advance(Duration.ofHours(2));
            HandDrivenNode only = cluster.nodes().get(0);
            only.keeper.runOnce();
            cluster.time.hold();
            only.schedule();
            assertThat(only.processes.running()).isEqualTo(1);
            cluster.time.hold();
            stop(only);
            cluster.crash("a");

            cluster.sleep(Duration.ofHours(5));
            cluster.join("b");
            cluster.round();
            cluster.round();

            assertThat(cluster.rows.one(
                            "select group_concat(outcome order by id) from task_history where outcome <> 'MISSED'"))
                    .isEqualTo("LOST,SUCCEEDED");
            cluster.addsUp();
        }
    }

    /** Both are due when a node is back: overlap lets one of them run, and no row may claim anything else. */
    @Test
    void a_catch_up_that_a_recovery_keeps_from_running_was_not_promised_to_run() throws IOException {
        try (PlayedCluster cluster =
                new PlayedCluster(SERVER, dir.resolve("played"), Instant.parse("2026-03-01T10:00:00Z"))) {
            cluster.put("minutely", "\"schedule\": \"* * * * *\", \"zone\": \"UTC\"");
            cluster.time.advance(Duration.ofMinutes(1));
            HandDrivenNode only = cluster.nodes().get(0);
            only.keeper.runOnce();
            cluster.time.hold();
            only.schedule();
            assertThat(only.processes.running()).isEqualTo(1);
            cluster.time.hold();
            stop(only);
            cluster.crash("a");

            cluster.sleep(Duration.ofMinutes(10));
            cluster.join("b");
            cluster.round();
            cluster.round();

            assertThat(cluster.rows.one("select group_concat(concat(cause, ' ', outcome) order by fire_time, attempt)"
                            + " from task_history where fire_time <= '2026-03-01 10:11:00'"))
                    .isEqualTo("SCHEDULE LOST,RECOVERY SUCCEEDED,SCHEDULE MISSED,CATCH_UP SKIPPED");
            assertThat(cluster.rows.one("select reason from task_history where outcome = 'MISSED'"))
                    .endsWith(
                            "the latest occurrence runs instead, unless the job is executing then (misfire RUN_ONCE)");
            cluster.addsUp();
        }
    }

    private long execute(HandDrivenNode node) {
        long task = playground.rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
        node.schedule();
        assertThat(node.processes.running()).isEqualTo(1);
        return task;
    }

    private static void stop(HandDrivenNode node) {
        node.localTasks.drain();
        node.departure.giveBackPrepared();
        node.departure.endCommands(node.processes, Duration.ZERO);
        node.departure.leave();
    }
}
