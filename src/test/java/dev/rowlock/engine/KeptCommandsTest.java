package dev.rowlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.rowlock.db.DatabaseUnavailable;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A node that was told to keep its commands at the fence (session.on-disconnect: KEEP), and loses the database for longer than that. */
@Tag("database")
class KeptCommandsTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private TcpRelay relay;
    private HandDrivenNode a;

    @BeforeEach
    void join() throws IOException {
        playground = new Playground(SERVER, dir);
        relay = playground.relay();
        a = playground.keeping("a", playground.address(relay));
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void the_session_goes_on_if_nobody_has_expired_it_and_so_does_the_command() {
        long task = executing("j");
        String session = a.session();

        awayFor(Duration.ofMinutes(5));
        assertThat(a.processes.running()).isEqualTo(1);
        assertThat(a.lease.current()).isEmpty();
        back();
        a.keeper.runOnce();
        a.processes.end(3);
        a.recorder.runOnce();

        assertThat(a.session()).isEqualTo(session);
        assertThat(history(task)).isEqualTo("FAILED 3 1");
        assertThat(playground.rows.count("task_history")).isEqualTo(1);
    }

    @Test
    void what_ended_beyond_the_fence_keeps_its_outcome() {
        long task = executing("j");

        awayFor(Duration.ofMinutes(5));
        a.processes.end(0);
        a.nanos.advance(Duration.ofMinutes(1));
        back();
        a.keeper.runOnce();
        a.recorder.runOnce();

        assertThat(history(task)).isEqualTo("SUCCEEDED 0 1");
        assertThat(playground.rows.count("task_history")).isEqualTo(1);
    }

    @Test
    void of_a_session_that_was_expired_the_commands_are_killed_at_reconnecting_and_their_results_are_too_late() {
        long ended = executing("ended");
        long running = executing("running");
        String session = a.session();
        awayFor(Duration.ofMinutes(5));
        HandDrivenNode b = other();
        b.beatFor(HandDrivenNode.TIMEOUT.plusSeconds(4));
        b.reaper.runOnce();
        b.schedule();
        assertThat(b.processes.started).as("run again meanwhile").hasSize(2);
        a.processes.end(a.processes.started.get(0).launchId(), 0);

        back();
        a.keeper.runOnce();
        a.fence.runOnce();
        assertThat(a.processes.running()).isZero();
        a.keeper.runOnce();
        b.processes.end(0);
        b.recorder.runOnce();

        assertThat(a.session()).isNotEqualTo(session);
        assertThat(history(ended)).startsWith("LOST");
        assertThat(history(running)).startsWith("LOST");
        assertThat(playground.rows.count("task_history where outcome = 'SUCCEEDED' and attempt = 2 and node = 'b'"))
                .isEqualTo(2);
        assertThat(playground.rows.count("task_history")).isEqualTo(4);
    }

    @Test
    void what_was_prepared_and_taken_over_meanwhile_is_not_fired_again() {
        long job = playground.job("ahead", "0 0 1 1 *");
        playground.rows.task(job, 20_000, true);
        a.schedule();
        assertThat(a.localTasks.preparedCount()).isEqualTo(1);
        awayFor(Duration.ofMinutes(5));
        HandDrivenNode b = other();
        playground.rows.run(
                "update task set due_at = utc_timestamp(3) - interval 1100000 microsecond where state = 'PREPARED'");
        b.schedule();
        assertThat(b.processes.started).hasSize(1);

        back();
        a.keeper.runOnce();
        a.schedule();
        a.compensator.runOnce();

        assertThat(a.processes.started).isEmpty();
        assertThat(a.localTasks.preparedCount()).isZero();
    }

    @Test
    void what_its_gate_refused_meanwhile_is_given_back_when_the_session_goes_on() {
        long task = executing("j");
        awayFor(Duration.ofMinutes(5));
        a.processes.refuse();

        back();
        a.keeper.runOnce();
        a.compensator.runOnce();

        assertThat(playground.rows.one("select concat(state, ' ', attempt) from task where id = " + task))
                .isEqualTo("IDLE 1");
        a.schedule();
        assertThat(a.processes.started).hasSize(2);
    }

    /** One that nothing keeps from the database; a itself is away. */
    private HandDrivenNode other() {
        HandDrivenNode b = playground.node("b", playground.address());
        b.keeper.runOnce();
        assertThat(b.lease.current()).isPresent();
        return b;
    }

    private long executing(String name) {
        int before = a.processes.started.size();
        long job = playground.job(name, "0 0 1 1 *");
        long task = playground.rows.task(job, -50, true);
        a.schedule();
        assertThat(a.processes.started).hasSize(before + 1);
        return task;
    }

    private void awayFor(Duration time) {
        relay.goAway();
        a.nanos.advance(time);
        a.fence.runOnce();
    }

    /** If the loops' connection was used a moment ago, it is found to be broken by the first who uses it again. */
    private void back() {
        relay.passThrough();
        assertThat(catchThrowable(() -> a.sessions.all()))
                .satisfiesAnyOf(
                        thrown -> assertThat(thrown).isNull(),
                        thrown -> assertThat(thrown).isInstanceOf(DatabaseUnavailable.class));
    }

    private String history(long task) {
        return String.valueOf(playground.rows.one(
                "select concat(outcome, ' ', coalesce(exit_code, ''), ' ', attempt) from task_history where id = "
                        + task));
    }
}
