package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Direction;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with {@code session.on-disconnect: KEEP} that lose the database for longer than fence and session timeout. */
@Tag("database")
@Tag("slow")
class KeepTest {

    private static final Map<String, String> KEEP = Map.of("ROWLOCK_SESSION_ON_DISCONNECT", "KEEP");

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void a_command_whose_session_nobody_expired_runs_on_and_reports_its_result() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            cluster.start("a", KEEP).awaitReady(SOON);
            cluster.job("keep", "during", "@manual", untilExists("during"));
            cluster.job("keep", "after", "@manual", untilExists("after"));
            long during = cluster.run("keep", "during");
            long after = cluster.run("keep", "after");
            Until.holds(SOON, "two starts", () -> cluster.marks.starts("keep").size() == 2);
            String session = cluster.sessionOf("a");

            long away = Uptime.millis();
            relay.blackhole(Direction.TO_SERVER, Direction.TO_CLIENT);
            beyondTheTimeout(away);
            assertThat(Cluster.processesOf(session)).as("commands that go on").isNotEmpty();
            cluster.node("a").awaitHealth("KEEP", SOON);
            Files.createFile(dir.resolve("during"));
            Until.holds(SOON, "an end", () -> cluster.marks.ends("keep").size() == 1);
            relay.passThrough();
            cluster.node("a").awaitReady(SOON);
            Files.createFile(dir.resolve("after"));

            Until.holds(SOON, "both results", () -> rows.count("task_history") == 2);
            assertThat(outcome(during)).isEqualTo("SUCCEEDED 0 1");
            assertThat(outcome(after)).isEqualTo("SUCCEEDED 0 1");
            assertThat(cluster.sessionOf("a")).isEqualTo(session);
            assertThat(cluster.marks.starts("keep")).hasSize(2);
            assertThat(cluster.node("a").log())
                    .containsOnlyOnce("2 commands go on (session.on-disconnect: KEEP)")
                    .containsOnlyOnce("nobody has expired session " + session + " meanwhile")
                    .doesNotContain(" ERROR ");
        }
    }

    @Test
    void a_command_whose_session_was_expired_is_lost_and_killed_when_its_node_learns_of_it() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            NodeProcess a = cluster.start("a", KEEP).awaitReady(SOON);
            cluster.job("over", "ends", "@manual", "[ \"$ROWLOCK_NODE\" = b ] || " + untilExists("go"));
            cluster.job("over", "lasts", "@manual", "[ \"$ROWLOCK_NODE\" = b ] || sleep 600");
            long ends = cluster.run("over", "ends");
            long lasts = cluster.run("over", "lasts");
            Until.holds(SOON, "two starts", () -> cluster.marks.starts("over").size() == 2);
            String session = cluster.sessionOf("a");
            rows.run("update session set boot_id = 'elsewhere' where id = '" + session + "'");
            relay.blackhole(Direction.TO_SERVER, Direction.TO_CLIENT);
            cluster.start("b", Map.of("ROWLOCK_DATABASE_URL", database.url())).awaitReady(SOON);
            Until.holds(SOON, "its expiry", () -> !cluster.isThere(session));
            Until.holds(
                    SOON, "both runs of b", () -> cluster.marks.starts("over").size() == 4);
            assertThat(Cluster.processesOf(session))
                    .as("commands that go on, beside those of b")
                    .isNotEmpty();
            Files.createFile(dir.resolve("go"));
            Until.holds(SOON, "three ends", () -> cluster.marks.ends("over").size() == 3);

            relay.passThrough();
            Cluster.awaitNoProcessOf(session);
            a.awaitReady(SOON);
            a.awaitLog("came too late: history says LOST", SOON);

            assertThat(cluster.sessionOf("a")).isNotEqualTo(session);
            assertThat(outcome(ends)).startsWith("LOST");
            assertThat(outcome(lasts)).startsWith("LOST");
            assertThat(rows.count("task_history where outcome = 'SUCCEEDED' and attempt = 2 and node = 'b'"))
                    .isEqualTo(2);
            assertThat(rows.count("task_history")).isEqualTo(4);
        }
    }

    @Test
    void a_node_that_dies_takes_its_kept_commands_with_it() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            cluster.start("a", KEEP).awaitReady(SOON);
            cluster.job("dies", "lasts", "@manual", "trap '' TERM; sleep 600; :");
            cluster.run("dies", "lasts");
            Until.holds(SOON, "its start", () -> cluster.marks.starts("dies").size() == 1);
            String session = cluster.sessionOf("a");
            long away = Uptime.millis();
            relay.goAway();
            beyondTheTimeout(away);
            assertThat(Cluster.processesOf(session)).isNotEmpty();

            cluster.node("a").kill();

            Cluster.awaitNoProcessOf(session);
        }
    }

    private static void beyondTheTimeout(long sinceUptime) throws Exception {
        Until.holds(
                SOON,
                "more time than a session timeout",
                () -> Uptime.millis() - sinceUptime > Cluster.TIMEOUT.toMillis() + 1000);
    }

    private Cluster through(TcpRelay relay) throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
        return new Cluster(dir, environment, rows);
    }

    private String untilExists(String file) {
        return "until [ -e '" + dir.resolve(file) + "' ]; do sleep 0.2; done";
    }

    private String outcome(long task) {
        return String.valueOf(rows.one(
                "select concat(outcome, ' ', coalesce(exit_code, ''), ' ', attempt) from task_history where id = "
                        + task));
    }
}
