package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.StopCause;
import dev.rowlock.node.recorder.Exits;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launcher tells of a command, and what its task becomes. */
@Tag("database")
class WaysToEndTest {

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    @TempDir
    Path dir;

    private Playground playground;
    private HandDrivenNode a;

    @BeforeEach
    void join_and_start_one() {
        playground = new Playground(SERVER, dir);
        a = playground.joined("a", playground.address());
        long job = playground.rows.job(
                "j",
                "{\"namespace\": \"default\", \"name\": \"j\", \"schedule\": \"0 0 1 1 *\", \"command\": \"true\", \"timeout\": \"1h\"}");
        playground.rows.task(job, -50, true);
        a.schedule();
        assertThat(a.processes.started).hasSize(1);
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_task_whose_node_had_no_guard_or_no_room_for_a_process_did_not_run_and_is_given_back(boolean guard) {
        if (guard) {
            a.processes.hostRefuses();
        } else {
            a.processes.unguarded();
        }
        a.recorder.runOnce();
        assertThat(playground.rows.count("task_history")).isZero();
        a.compensator.runOnce();

        a.schedule();
        a.processes.end(0);
        a.recorder.runOnce();

        assertThat(playground.rows.all("select outcome, attempt from task_history"))
                .containsExactly(java.util.Map.of("outcome", "SUCCEEDED", "attempt", "1"));
    }

    @Test
    void a_task_that_a_stopping_node_had_not_started_yet_is_left_to_others() {
        a.processes.neverStart(StopCause.SHUTDOWN);
        a.departure.leave();

        assertThat(playground.rows.count("task_history")).isZero();
        assertThat(
                        playground.rows.one(
                                "select concat(state, ' ', attempt, ' ', session_id is null) from live_task where cursor_of is null"))
                .isEqualTo("IDLE 1 1");
    }

    @ParameterizedTest
    @CsvSource({
        "3,   exit code 3",
        "126, 'exit code 126: usually what it should run was found, but cannot be executed'",
        "127, 'exit code 127: usually what it should run was not found'",
        "139, ended by signal 11",
    })
    void a_failure_says_in_history_and_in_one_line_of_the_log_what_it_was(int code, String reason) {
        try (LogLines log = LogLines.of(Exits.class)) {
            a.processes.end(code);
            a.recorder.runOnce();

            assertThat(playground.rows.one("select outcome from task_history")).isEqualTo("FAILED");
            assertThat(playground.rows.one("select reason from task_history")).isEqualTo(reason);
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .matches("task \\d+ of default/j, asked for \\S+Z, attempt 1: FAILED: " + reason);
        }
    }

    @Test
    void a_timeout_is_one_line_of_the_log_too() {
        try (LogLines log = LogLines.of(Exits.class)) {
            a.processes.stop(StopCause.TIMEOUT);
            a.recorder.runOnce();

            assertThat(playground.rows.one("select outcome from task_history")).isEqualTo("TIMED_OUT");
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .endsWith("attempt 1: TIMED_OUT: ran longer than its timeout of 1h");
        }
    }

    @Test
    void a_success_is_not_worth_a_line() {
        try (LogLines log = LogLines.of(Exits.class)) {
            a.processes.end(0);
            assertThat(log.texts()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "REQUEST,  FAILED,    killed on request",
        "SHUTDOWN, FAILED,    the node was stopped",
        "TIMEOUT,  TIMED_OUT, ran longer than its timeout of",
        "FENCE,    LOST,      the node lost its session while the command ran",
    })
    void what_could_not_be_killed_is_not_recorded_as_killed(StopCause why, String outcome, String reason) {
        a.processes.survive(why);
        a.recorder.runOnce();

        assertThat(playground.rows.one("select outcome from task_history")).isEqualTo(outcome);
        assertThat(playground.rows.one("select reason from task_history"))
                .startsWith(reason)
                .endsWith("; could not be killed: sleep (pid 7, state D)");
        assertThat(playground.rows.one("select exit_code from task_history")).isNull();
    }
}
