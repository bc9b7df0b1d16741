package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.HandDrivenNode.Times;
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

/** A node that others must wait 30 s for, beside one that would wait 5 s. */
@Tag("database")
class MixedSettingsTest {

    private static final Times SHORT = new Times(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(5));

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private HandDrivenNode patient;
    private HandDrivenNode hasty;

    @BeforeEach
    void join() {
        playground = new Playground(SERVER, dir);
        patient = playground.joined("patient", playground.address());
        playground.rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
        patient.schedule();
        assertThat(patient.processes.running()).isEqualTo(1);
        hasty = new HandDrivenNode("hasty", playground.address(), dir, SHORT);
        playground.nodes.add(hasty);
        hasty.keeper.runOnce();
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void a_frozen_node_whose_own_timeout_has_not_passed_keeps_its_session_and_its_command_runs_once() {
        String session = patient.session();

        passes(12);

        assertThat(hasty.processes.started).isEmpty();
        patient.nanos.advance(Duration.ofSeconds(12)); // it thaws, before its fence
        patient.keeper.runOnce();
        assertThat(patient.session()).isEqualTo(session);
        patient.processes.end(0);
        patient.recorder.runOnce();
        assertThat(playground.rows.one("select group_concat(outcome) from task_history"))
                .isEqualTo("SUCCEEDED");
    }

    @Test
    void once_its_own_timeout_has_passed_it_is_expired() {
        passes(29);
        assertThat(playground.rows.count("session")).isEqualTo(2);

        passes(3);

        assertThat(playground.rows.count("session")).isEqualTo(1);
        assertThat(hasty.processes.started).as("run again").hasSize(1);
    }

    @Test
    void one_of_an_earlier_version_that_does_not_say_is_judged_by_ours() {
        playground.rows.run("update session set timeout_ms = null, settings = null where node = 'patient'");

        passes(7);

        assertThat(playground.rows.count("session")).isEqualTo(1);
    }

    @Test
    void both_say_what_they_are_set_to_differently_and_stop_when_it_is_over() {
        patient.keeper.runOnce();

        assertThat(hasty.knownSessions.settings())
                .contains("session.timeout is 5s here (node hasty) and 30s on node patient")
                .contains("session.fence is 4s here");
        assertThat(patient.knownSessions.settings())
                .contains("session.timeout is 30s here (node patient) and 5s on node hasty");

        hasty.departure.leave();
        patient.keeper.runOnce();
        assertThat(patient.knownSessions.settings()).isEqualTo("there is no other node");
    }

    /** As the hasty node sees it; the other one is frozen. */
    private void passes(int seconds) {
        for (int i = 0; i < seconds; i++) {
            hasty.nanos.advance(Duration.ofSeconds(1));
            hasty.keeper.runOnce();
            hasty.reaper.runOnce();
        }
        hasty.schedule();
    }
}
