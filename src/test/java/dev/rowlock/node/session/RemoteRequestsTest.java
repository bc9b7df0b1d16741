package dev.rowlock.node.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.HandDrivenNode;
import dev.rowlock.node.Playground;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.LaunchId;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a request to end a command, whenever it comes. */
@Tag("database")
class RemoteRequestsTest {

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
        playground.rows.task(playground.job("j", "0 0 1 1 *"), -50, true);
    }

    @AfterEach
    void close() throws IOException {
        playground.close();
    }

    @Test
    void a_request_that_comes_before_its_launch_is_known_ends_the_command_all_the_same() {
        a.processes.beforeNextStart(() -> {
            ask("KILL", launchOfExecuting());
            a.keeper.runOnce();
        });

        a.schedule();
        assertThat(a.processes.running()).isEqualTo(1);
        a.keeper.runOnce();
        a.recorder.runOnce();

        assertThat(playground.rows.one("select concat(outcome, ' ', reason) from task_history"))
                .isEqualTo("KILLED killed on request");
        assertThat(playground.rows.count("task_request")).isZero();
    }

    @Test
    void a_request_for_what_was_given_back_is_struck_off() {
        a.schedule();
        ask("KILL", launchOfExecuting());
        a.processes.refuse();
        a.keeper.runOnce();
        assertThat(playground.rows.count("task_request"))
                .as("while the table says that it executes")
                .isEqualTo(1);

        a.compensator.runOnce();
        a.keeper.runOnce();

        assertThat(playground.rows.count("task_request")).isZero();
        a.schedule();
        assertThat(a.processes.running()).as("the next launch is not meant").isEqualTo(1);
    }

    @Test
    void a_request_for_what_has_ended_is_struck_off_when_its_result_is_recorded() {
        a.schedule();
        ask("KILL", launchOfExecuting());
        a.processes.end(0);
        a.recorder.runOnce();
        a.keeper.runOnce();

        assertThat(playground.rows.count("task_request")).isZero();
        assertThat(playground.rows.one("select outcome from task_history")).isEqualTo("SUCCEEDED");
    }

    @Test
    void a_request_to_a_live_session_does_not_grow_too_old() {
        ask("KILL", new LaunchId(a.session() + "-7"));
        playground.rows.run("insert into task_request (session_id, launch_id, kind, requested_at)"
                + " values ('nobody', 'nobody-1', 'KILL', utc_timestamp(3))");
        playground.rows.run("update task_request set requested_at = requested_at - interval 2 hour");

        new dev.rowlock.task.rerun.Requests(a.databases.get(0)).forgetOld();

        assertThat(playground.rows.all("select launch_id from task_request"))
                .extracting(row -> row.get("launch_id"))
                .containsExactly(a.session() + "-7");
    }

    private LaunchId launchOfExecuting() {
        return new LaunchId(
                String.valueOf(playground.rows.one("select launch_id from live_task where state = 'EXECUTING'")));
    }

    private void ask(String kind, LaunchId launch) {
        playground.rows.run("insert into task_request (session_id, launch_id, kind, requested_at) values ('"
                + a.session() + "', '" + launch.text() + "', '" + kind + "', utc_timestamp(3))");
    }
}
