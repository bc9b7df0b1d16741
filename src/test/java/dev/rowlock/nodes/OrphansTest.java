package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** However a node dies, nothing of its commands is left when its session expires, or when it starts again. */
@Order(1)
@Tag("database")
@Tag("slow")
class OrphansTest {

    /** Ignores TERM, as do its children: one under nohup in a process session of its own, one that has forked twice, and a plain one. */
    private static final String STUBBORN = "trap '' TERM; mark BEGAN;"
            + " nohup setsid bash -c 'sleep 600; :' >/dev/null 2>&1 &"
            + " (setsid bash -c '(sleep 600; :) & exit' &);"
            + " sleep 600; :";

    private static final int PROCESSES = 6;

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private Cluster cluster;
    private String session = "";

    @BeforeEach
    void make() throws Exception {
        cluster = new Cluster(dir, NodeProcess.on(database), rows);
    }

    @AfterEach
    void end() throws Exception {
        cluster.close();
        signal("KILL", pidsOf(session));
    }

    @Test
    void of_a_node_whose_whole_process_group_is_killed_the_guard_ends_the_commands() throws Exception {
        NodeProcess a = executing(Map.of(NodeProcess.OWN_GROUP, "yes"));

        signal("KILL", List.of("--", "-" + a.pid()));

        Cluster.awaitNoProcessOf(session);
        assertThat(a.awaitExit(SOON)).isEqualTo(137);
        assertThat(cluster.isThere(session)).as("not expired yet").isTrue();
    }

    @Test
    void of_a_node_that_runs_out_of_memory_the_guard_ends_the_commands() throws Exception {
        NodeProcess a = executing(
                Map.of("_JAVA_OPTIONS", "-Xmx48m -XX:+ExitOnOutOfMemoryError", "ROWLOCK_HTTP_MAX_BODY_BYTES", "16MiB"));
        String large = "{\"schedule\": \"@manual\", \"command\": \"" + "x".repeat(15 << 20) + "\"}";

        Until.holds(SOON, "its end for want of memory", () -> {
            try {
                a.send("PUT", "/api/v1/jobs/large/one", large);
            } catch (UncheckedIOException e) {
                assertThat(e).hasCauseInstanceOf(java.io.IOException.class); // it died under the request
            }
            return !a.isAlive();
        });

        assertThat(a.awaitExit(SOON)).as(a.log()).isEqualTo(3);
        Cluster.awaitNoProcessOf(session);
        assertThat(cluster.isThere(session)).as("not expired yet").isTrue();
    }

    @Test
    void of_a_node_that_died_with_its_guard_another_one_on_the_host_ends_the_commands_before_it_expires_the_session()
            throws Exception {
        NodeProcess a = executing(Map.of());
        // Its process id was given to somebody else since: this test.
        rows.run("update session set pid = " + ProcessHandle.current().pid() + " where id = '" + session + "'");

        killWithGuard(a);
        assertThat(Cluster.processesOf(session))
                .as("nobody is there to end them")
                .hasSize(PROCESSES);
        cluster.start("b").awaitReady(SOON);
        Until.holds(SOON, "its expiry", () -> {
            boolean there = cluster.isThere(session);
            assertThat(there || Cluster.processesOf(session).isEmpty()).isTrue();
            return !there;
        });

        assertThat(rows.one("select outcome from task_history")).isEqualTo("LOST");
    }

    @Test
    void a_node_that_died_with_its_guard_ends_its_commands_when_it_starts_again_even_after_its_session_was_expired()
            throws Exception {
        NodeProcess a = executing(Map.of());
        killWithGuard(a);
        rows.run("delete from live_task");
        rows.run("delete from session");
        assertThat(Cluster.processesOf(session)).hasSize(PROCESSES);

        NodeProcess again = cluster.start("a");
        Until.holds(SOON, "an answer", () -> again.status("/livez") == 200);
        again.awaitReady(SOON);

        assertThat(Cluster.processesOf(session)).isEmpty();
        assertThat(again.log()).contains("the previous session of this node, " + session);
    }

    /** As if the machine had been restarted since: the boot id is another, and the pid says nothing. */
    @Test
    void
            a_node_that_starts_after_a_boot_waits_until_its_earlier_session_is_surely_dead_and_then_runs_again_what_it_ran()
                    throws Exception {
        NodeProcess a = executing(Map.of());
        rows.run("update session set boot_id = 'before', pid = "
                + ProcessHandle.current().pid() + " where id = '" + session + "'");
        killWithGuard(a);

        NodeProcess again = cluster.start("a");
        again.awaitReady(SOON);

        assertThat(Cluster.processesOf(session)).isEmpty();
        assertThat(cluster.isThere(session)).isFalse();
        Until.holds(
                SOON,
                "the second attempt",
                () -> cluster.marks.starts("orphans").size() == 2);
        assertThat(rows.all("select outcome, attempt from task_history"))
                .containsExactly(Map.of("outcome", "LOST", "attempt", "1"));
        session = cluster.sessionOf("a");
    }

    /** A node that executes a stubborn command; its session is noted. */
    private NodeProcess executing(Map<String, String> environment) throws Exception {
        NodeProcess a = cluster.start("a", environment).awaitReady(SOON);
        cluster.job("orphans", "stubborn", "@manual", STUBBORN);
        cluster.run("orphans", "stubborn");
        session = cluster.sessionOf("a");
        Until.holds(SOON, "its processes", () -> Cluster.processesOf(session).size() == PROCESSES);
        return a;
    }

    private static void killWithGuard(NodeProcess node) throws Exception {
        ProcessHandle guard = ProcessHandle.of(node.pid())
                .orElseThrow()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("rowlock-guard"))
                .findFirst()
                .orElseThrow();
        signal("KILL", List.of(Long.toString(node.pid()), Long.toString(guard.pid())));
        guard.onExit().get(20, java.util.concurrent.TimeUnit.SECONDS);
        node.awaitExit(SOON);
    }

    private static List<String> pidsOf(String session) throws Exception {
        return session.isEmpty()
                ? List.of()
                : Cluster.processesOf(session).stream()
                        .map(process -> process.getFileName().toString())
                        .toList();
    }

    /** All of them in one system call after the other, with nothing in between. */
    private static void signal(String name, List<String> pids) throws Exception {
        if (!pids.isEmpty()) {
            List<String> line = new ArrayList<>(List.of("/bin/kill", "-" + name));
            line.addAll(pids);
            assertThat(Files.isExecutable(Path.of("/bin/kill"))).isTrue();
            new ProcessBuilder(line).inheritIO().start().waitFor();
        }
    }
}
