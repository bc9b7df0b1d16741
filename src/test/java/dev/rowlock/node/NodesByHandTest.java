package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Locks;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.LaunchSpec;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole nodes, played step by step on one thread against a real database. */
@Tag("database")
class NodesByHandTest {

    @RegisterExtension
    final TestDatabase server = new TestDatabase();

    @TempDir
    Path dir;

    private Rows rows;
    private DatabaseAddress address;
    private final List<HandDrivenNode> nodes = new ArrayList<>();

    @BeforeEach
    void migrate() {
        address = new DatabaseAddress(server.url(), server.user(), server.password());
        rows = new Rows(server);
    }

    @AfterEach
    void close() {
        nodes.forEach(HandDrivenNode::close);
    }

    @Test
    void nothing_is_fired_while_no_process_can_be_made() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);

        a.processes.noProcess = "no process can be made: 2 starts hang";
        a.schedule();
        assertThat(a.processes.started).isEmpty();

        a.processes.noProcess = null;
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
    }

    @Test
    void a_due_task_runs_and_becomes_history() {
        HandDrivenNode a = joined("a");
        long job = job("j", "0 0 1 1 *");
        rows.task(job, -50, true);
        String stripe = Locks.name(Locks.stripeOf(job));

        a.schedule();
        String counter = rows.one("select counter from cluster_lock where name = '" + stripe + "'");
        a.processes.end(0);
        a.recorder.runOnce();

        assertThat(a.processes.started).hasSize(1);
        LaunchSpec spec = a.processes.started.get(0);
        assertThat(spec.command()).hasToString("true");
        assertThat(spec.environment())
                .containsEntry("ROWLOCK_JOB", "default/j")
                .containsEntry("ROWLOCK_ATTEMPT", "1")
                .containsEntry("ROWLOCK_CAUSE", "SCHEDULE")
                .containsEntry("ROWLOCK_NODE", "a")
                .containsEntry("ROWLOCK_FENCING_TOKEN", counter);
        assertThat(rows.one("select concat(outcome, ' ', exit_code, ' ', node) from task_history"))
                .isEqualTo("SUCCEEDED 0 a");
        assertThat(rows.one("select concat(state, ' ', cursor_of is not null) from live_task"))
                .isEqualTo("IDLE 1");
        assertThat(a.localTasks.preparedCount()).isZero();
        assertThat(a.localTasks.running()).isZero();
    }

    @Test
    void a_frequent_job_is_prepared_for_the_whole_horizon() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "* * * * * *"), 1000, true);

        a.schedule();

        assertThat(rows.count("live_task where state = 'PREPARED'")).isBetween(28L, 31L);
        assertThat(rows.count("live_task where cursor_of is not null and state = 'IDLE'"))
                .isEqualTo(1);
        assertThat(a.localTasks.preparedCount()).isEqualTo((int) rows.count("live_task where state = 'PREPARED'"));
    }

    @Test
    void an_overdue_task_of_a_dead_node_is_taken_over_at_once() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        rows.task(job("j", "0 0 1 1 *"), 20_000, true);
        a.pollSoon();
        a.scheduler.runOnce();
        if (a.localTasks.preparedCount() == 0) {
            b.schedule(); // b prefers the stripe
        }
        HandDrivenNode owner = a.localTasks.preparedCount() == 1 ? a : b;
        HandDrivenNode other = owner == a ? b : a;
        rows.run(
                "update live_task set due_at = utc_timestamp(3) - interval 1100000 microsecond where state = 'PREPARED'");

        other.schedule();
        owner.clock.sample(java.time.Instant.now().plusSeconds(60), owner.nanos.getAsLong(), owner.nanos.getAsLong());
        owner.scheduler.runOnce();

        assertThat(other.processes.started).hasSize(1);
        assertThat(owner.processes.started).isEmpty();
        assertThat(owner.localTasks.preparedCount()).isZero();
    }

    @Test
    void what_another_should_have_fired_is_looked_at_again_when_it_is_to_be_taken_over() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        rows.task(job("j", "0 0 1 1 *"), 20_000, true);
        a.schedule();
        b.schedule();
        HandDrivenNode other = a.localTasks.preparedCount() == 1 ? b : a;
        rows.run(
                "update live_task set due_at = utc_timestamp(6) - interval 100000 microsecond where state = 'PREPARED'");

        other.pollSoon();
        Pass pass = other.scheduler.runOnce();
        assertThat(pass.rest()).isLessThanOrEqualTo(Duration.ofMillis(920));
        assertThat(other.processes.started).isEmpty();

        rows.run(
                "update live_task set due_at = utc_timestamp(6) - interval 1030000 microsecond where state = 'PREPARED'");
        other.nanos.advance(Duration.ofMillis(930));
        other.scheduler.runOnce();
        assertThat(other.processes.started).hasSize(1);
    }

    @Test
    void a_full_node_takes_nothing_and_the_other_does() {
        HandDrivenNode a = joined("a", 1);
        rows.task(job("first", "0 0 1 1 *"), -50, true);
        a.schedule();
        rows.task(job("second", "0 0 1 1 *"), -50, true);

        a.schedule();
        assertThat(a.processes.started).hasSize(1);
        HandDrivenNode b = joined("b");
        b.schedule();

        assertThat(b.processes.started).hasSize(1);
    }

    @Test
    void a_slot_is_free_again_when_its_command_has_ended() {
        HandDrivenNode a = joined("a", 1);
        rows.task(job("first", "0 0 1 1 *"), -60, true);
        rows.task(job("second", "0 0 1 1 *"), -50, true);
        a.schedule();
        assertThat(a.processes.started).hasSize(1);

        a.processes.end(0);
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
    }

    @Test
    void a_node_that_is_alone_keeps_what_finds_no_slot_and_runs_it_when_one_is_free() {
        HandDrivenNode a = joined("a", 1);
        rows.task(job("first", "0 0 1 1 *"), 2000, true);
        rows.task(job("second", "0 0 1 1 *"), 2000, true);
        a.schedule();
        assertThat(a.localTasks.preparedCount()).isEqualTo(2);

        rows.run("update live_task set due_at = date_sub(due_at, interval 3 second) where state = 'PREPARED'");
        a.nanos.advance(Duration.ofSeconds(3));
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
        assertThat(rows.count("live_task where state = 'PREPARED'")).isEqualTo(1);

        a.processes.end(0);
        a.schedule();
        assertThat(a.processes.started).hasSize(2);
    }

    @Test
    void missed_occurrences_become_one_row_and_one_run() {
        HandDrivenNode a = joined("a");
        // The next regular occurrence is five seconds away, so that it does not come in the midst of the test.
        long phase = Long.parseLong(String.valueOf(rows.one("select second(utc_timestamp())"))) + 5;
        long job = job("j", phase % 10 + "/10 * * * * *");
        rows.task(job, -600_000, true);
        rows.run("update live_task set fire_time = date_sub(fire_time, interval (second(fire_time) + 10 - " + phase % 10
                + ") % 10 second)");
        rows.run(
                "update live_task set fire_time = date_sub(fire_time, interval microsecond(fire_time) microsecond), due_at = fire_time");

        a.schedule();

        assertThat(a.processes.started).hasSize(1);
        assertThat(a.processes.started.get(0).environment()).containsEntry("ROWLOCK_CAUSE", "CATCH_UP");
        assertThat(rows.one("select concat(outcome, ' ', cause, ' ', occurrences between 59 and 61) from task_history"))
                .isEqualTo("MISSED SCHEDULE 1");
        assertThat(rows.one(
                        "select h.next_fire_time = t.fire_time and h.last_fire_time = t.fire_time - interval 10 second"
                                + " from task_history h, task t where t.cause = 'CATCH_UP'"))
                .isEqualTo("1");
        assertThat(rows.count("live_task where state = 'PREPARED'")).isBetween(2L, 4L);
    }

    @Test
    void a_session_that_is_silent_is_expired_and_its_command_attempted_again() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
        a.keeper.runOnce();
        b.keeper.runOnce();
        b.nanos.stop();

        b.beatFor(Duration.ofSeconds(28));
        b.reaper.runOnce();
        assertThat(rows.count("session")).isEqualTo(2);
        b.beatFor(Duration.ofSeconds(4));
        b.reaper.runOnce();
        b.keeper.runOnce(); // its clock stands: it has to read what the database's shows by now
        b.schedule();

        assertThat(rows.count("session")).isEqualTo(1);
        assertThat(rows.one("select outcome from task_history")).isEqualTo("LOST");
        assertThat(b.processes.started)
                .singleElement()
                .satisfies(spec -> assertThat(spec.environment())
                        .containsEntry("ROWLOCK_CAUSE", "RECOVERY")
                        .containsEntry("ROWLOCK_ATTEMPT", "2"));
    }

    @Test
    void a_node_that_had_no_contact_itself_expires_nobody() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        b.beatFor(Duration.ofSeconds(10));
        b.nanos.advance(Duration.ofSeconds(15));
        b.beatFor(Duration.ofSeconds(10));
        b.reaper.runOnce();

        assertThat(rows.count("session where node = 'a'")).isEqualTo(1);
        assertThat(a.lease.current()).isPresent();
    }

    @Test
    void a_fenced_node_kills_its_commands_and_joins_as_a_new_session_that_delivers_them() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();
        String old = a.session();

        a.nanos.advance(Duration.ofSeconds(16));
        a.fence.runOnce();
        assertThat(a.processes.running()).isZero();
        a.nanos.advance(Duration.ofSeconds(5));
        assertThat(a.lease.current()).isEmpty();
        a.keeper.runOnce();

        assertThat(a.session()).isNotEqualTo(old);
        assertThat(rows.all("select id from session")).hasSize(1);
        assertThat(rows.one("select concat(outcome, ' ', session_id = '" + old + "') from task_history"))
                .isEqualTo("LOST 1");
        a.schedule();
        assertThat(a.processes.started).hasSize(2);
    }

    @Test
    void what_succeeded_before_the_fence_is_recorded_as_succeeded_after_it() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();

        a.nanos.advance(Duration.ofSeconds(10));
        a.processes.end(0);
        a.nanos.advance(Duration.ofSeconds(30));
        a.fence.runOnce();
        a.keeper.runOnce();

        assertThat(rows.one("select concat(outcome, ' ', exit_code) from task_history"))
                .isEqualTo("SUCCEEDED 0");
        assertThat(rows.count("live_task where cause = 'RECOVERY'")).isZero();
    }

    @Test
    void an_expired_node_notices_with_its_next_beat() {
        HandDrivenNode a = joined("a");
        HandDrivenNode b = joined("b");
        String old = a.session();
        b.beatFor(Duration.ofSeconds(34));
        b.reaper.runOnce();

        a.keeper.runOnce();
        assertThat(a.lease.current()).isEmpty();
        a.keeper.runOnce();

        assertThat(a.session()).isNotEqualTo(old);
        assertThat(rows.count("session")).isEqualTo(2);
    }

    @Test
    void a_node_whose_session_another_renews_too_ends_its_commands_and_joins_under_a_new_id() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();
        String old = a.session();
        a.keeper.runOnce();
        rows.run("update session set beat = beat + 1"); // as the clone of its machine does, which counts like itself

        a.keeper.runOnce();
        assertThat(a.lease.current()).isEmpty();
        a.fence.runOnce();
        a.keeper.runOnce();

        assertThat(a.processes.running()).isZero();
        assertThat(a.session()).isNotEqualTo(old);
    }

    @Test
    void what_its_own_gate_refused_is_given_back() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();
        a.processes.refuse();
        assertThat(rows.count("live_task where state = 'EXECUTING'")).isEqualTo(1);

        a.compensator.runOnce();
        a.schedule();

        assertThat(a.processes.started).hasSize(2);
        assertThat(rows.count("task_history")).isZero();
    }

    @Test
    void what_the_table_gives_us_without_our_knowing_is_given_back() {
        HandDrivenNode a = joined("a");
        rows.task(job("j", "0 0 1 1 *"), 20_000, true);
        a.schedule();
        a.forgetPrepared(); // as if the answer to the commit had been lost

        a.compensator.runOnce();

        assertThat(rows.count("live_task where state = 'PREPARED'")).isZero();
        a.schedule();
        assertThat(a.localTasks.preparedCount()).isEqualTo(1);
    }

    @Test
    void a_node_that_is_back_under_its_name_ends_its_earlier_life() {
        HandDrivenNode first = joined("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        first.schedule();

        HandDrivenNode second = new HandDrivenNode("a", address, dir.resolve("other"), 4, "boot-of-a");
        nodes.add(second);
        second.keeper.runOnce(); // same host and boot, and process 1 with that start time does not exist

        assertThat(rows.count("session")).isEqualTo(1);
        assertThat(rows.one("select outcome from task_history")).isEqualTo("LOST");
    }

    /** As a server shows it that lags behind, or was restored: this very process had given that session up. */
    @Test
    void an_older_session_of_this_process_is_not_another_daemons() {
        HandDrivenNode a = ofThisProcess("a");
        rows.task(job("j", "0 0 1 1 *"), -50, true);
        a.schedule();
        assertThat(rows.count("live_task where state = 'EXECUTING'")).isEqualTo(1);
        rows.run("update session set id = 'older'");
        rows.run("update live_task set session_id = 'older', launch_id = 'older-1' where state = 'EXECUTING'");

        rejoin(a);

        assertThat(rows.one("select id from session")).isEqualTo(a.session());
        assertThat(rows.one("select concat(outcome, ': ', reason) from task_history"))
                .isEqualTo("LOST: node a lost its session while the command ran");
    }

    @Test
    void a_node_whose_name_was_taken_meanwhile_waits_and_says_so() {
        HandDrivenNode a = joined("a");
        rows.run("update session set id = 'theirs', boot_id = 'elsewhere', pid_start = 7");
        for (int look = 0; look < 3; look++) {
            a.keeper.runOnce();
            rows.run("update session set beat = beat + 1");
        }

        a.keeper.runOnce();

        assertThat(a.lease.current()).isEmpty();
        assertThat(a.notReady()).get().asString().contains("a node named \"a\" is alive already");
        assertThat(rows.one("select id from session")).isEqualTo("theirs");

        rows.run("delete from session");
        a.keeper.runOnce();

        assertThat(a.notReady()).isEmpty();
        assertThat(rows.one("select id from session")).isEqualTo(a.session());
    }

    private HandDrivenNode ofThisProcess(String name) {
        HostIdentity self = HostIdentity.current();
        HandDrivenNode node = new HandDrivenNode(
                name,
                address,
                dir,
                new ClusterSession.Host(self.hostName(), self.bootId(), self.pid(), self.startTime()));
        nodes.add(node);
        node.keeper.runOnce();
        return node;
    }

    /** Finds its session gone, ends what it runs, and joins. */
    private static void rejoin(HandDrivenNode node) {
        node.keeper.runOnce();
        node.keeper.runOnce();
        node.recorder.runOnce();
        node.keeper.runOnce();
        assertThat(node.lease.current()).isPresent();
    }

    private HandDrivenNode joined(String name) {
        return joined(name, 4);
    }

    private HandDrivenNode joined(String name, int capacity) {
        HandDrivenNode node = new HandDrivenNode(name, address, dir, capacity);
        nodes.add(node);
        node.keeper.runOnce();
        assertThat(node.lease.current()).isPresent();
        nodes.forEach(other -> other.keeper.runOnce());
        return node;
    }

    private long job(String name, String schedule) {
        return rows.job(
                name,
                "{\"namespace\": \"default\", \"name\": \"" + name + "\", \"schedule\": \"" + schedule
                        + "\", \"command\": \"true\", \"zone\": \"UTC\", \"onLost\": \"RERUN\"}");
    }
}
