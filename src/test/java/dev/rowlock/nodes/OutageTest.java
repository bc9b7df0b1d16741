package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Marks.Mark;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TcpRelay.Direction;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The database goes away in the middle of work, and comes back. */
@Order(1)
@Tag("database")
@Tag("slow")
class OutageTest {

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void what_succeeds_while_the_database_is_silent_is_recorded_once_even_though_the_fence_passed() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            cluster.haveRunning("a");
            cluster.job("away", "brief", "@manual", untilExists("brief"));
            cluster.job("away", "long", "@manual", "trap '' TERM; sleep 600; :");
            long brief = cluster.run("away", "brief");
            long lasting = cluster.run("away", "long");
            Until.holds(SOON, "two starts", () -> cluster.marks.starts("away").size() == 2);
            String session = cluster.sessionOf("a");

            relay.blackhole(Direction.TO_SERVER, Direction.TO_CLIENT);
            Files.createFile(dir.resolve("brief"));
            Until.holds(SOON, "its end", () -> cluster.marks.ends("away").size() == 1);
            long dead = Cluster.awaitNoProcessOf(session);
            relay.passThrough();

            Until.holds(SOON, "another session", () -> !cluster.isThere(session) && rows.count("session") == 1);
            assertThat(rows.all("select outcome, exit_code, attempt from task_history where job = 'brief'"))
                    .isEqualTo(List.of(Map.of("outcome", "SUCCEEDED", "exit_code", "0", "attempt", "1")));
            assertThat(outcome(brief)).isEqualTo("SUCCEEDED");
            assertThat(outcome(lasting)).isEqualTo("LOST");
            Until.holds(
                    SOON,
                    "the rerun of what was lost",
                    () -> cluster.marks.starts("away").size() == 3);
            assertThat(cluster.marks.starts("away"))
                    .filteredOn(m -> m.attempt() == 2)
                    .hasSize(1)
                    .allMatch(m -> m.job().equals("away/long") && m.uptimeMillis() >= dead - 100);
        }
    }

    @Test
    void what_succeeded_while_the_database_was_away_is_recorded_by_the_next_life_of_the_node() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = through(relay)) {
            cluster.haveRunning("a");
            cluster.job("journal", "brief", "@manual", untilExists("brief"));
            long brief = cluster.run("journal", "brief");
            Until.holds(SOON, "its start", () -> cluster.marks.starts("journal").size() == 1);

            relay.goAway();
            Files.createFile(dir.resolve("brief"));
            Until.holds(SOON, "its end", () -> cluster.marks.ends("journal").size() == 1);
            cluster.node("a").terminate();
            assertThat(cluster.node("a").awaitExit(SOON))
                    .as(cluster.node("a").log())
                    .isZero();
            NodeProcess again = cluster.start("a");
            Until.holds(SOON, "an answer", () -> again.status("/livez") == 200);
            assertThat(again.status("/readyz")).isEqualTo(503);
            relay.passThrough();
            again.awaitReady(SOON);

            assertThat(outcome(brief)).isEqualTo("SUCCEEDED");
            assertThat(rows.count("task_history where job = 'brief'")).isOne();
            assertThat(rows.count("live_task")).isZero();
            Until.holds(
                    SOON,
                    "its output",
                    () -> "done\n".equals(rows.one("select head from task_output where task_id = " + brief)));
        }
    }

    /** On a server of its own, whatever the other tests run on: this one is killed. */
    @Test
    void work_goes_on_by_itself_after_the_database_was_dead_for_longer_than_a_session_timeout() throws Exception {
        try (EmbeddedDatabase own = EmbeddedDatabase.start(dir.resolve("database"));
                Cluster cluster = new Cluster(dir, environment(own), rowsOf(own))) {
            cluster.haveRunning("a", "b", "c");
            cluster.eachSecond("dead", 12);
            for (int i = 0; i < 6; i++) {
                cluster.job("dead-long", "l" + i, "@manual", "sleep 600; :");
                cluster.run("dead-long", "l" + i);
            }
            cluster.awaitRuns("dead", 36);
            Until.holds(
                    SOON, "six starts", () -> cluster.marks.starts("dead-long").size() == 6);

            long killed = Uptime.millis();
            own.kill();
            Until.holds(
                    SOON,
                    "more time than a session timeout",
                    () -> Uptime.millis() - killed > Cluster.TIMEOUT.toMillis() + 2000);
            assertThat(cluster.marks.starts("dead"))
                    .noneMatch(m -> m.uptimeMillis() > killed + Cluster.FENCE.toMillis());
            long back = Uptime.millis();
            own.restart();

            cluster.haveRunning("a", "b", "c");
            cluster.awaitRunsAfter("dead", back);
            Cluster.report("database dead for " + (back - killed) + " ms: first run "
                    + (firstAfter(cluster, "dead", back) - back) + " ms after it was back");
            Until.holds(
                    SOON, "the reruns", () -> cluster.marks.starts("dead-long").size() == 12);
            assertThat(cluster.marks.starts("dead-long"))
                    .filteredOn(m -> m.attempt() == 2)
                    .allMatch(m -> m.uptimeMillis() >= back);
            cluster.settle("dead", 12);
            for (String node : List.of("a", "b", "c")) {
                String log = cluster.node(node).log();
                assertThat(log).doesNotContain("expired session").doesNotContain(" ERROR ");
                assertThat(Cluster.outages(log)).as(log).matches("(away back ){1,5}");
            }
        }
    }

    private Cluster through(TcpRelay relay) throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
        return new Cluster(dir, environment, rows);
    }

    private static Map<String, String> environment(EmbeddedDatabase own) {
        return Map.of(
                "ROWLOCK_DATABASE_URL", own.url(),
                "ROWLOCK_DATABASE_USER", own.user(),
                "ROWLOCK_DATABASE_PASSWORD", own.password());
    }

    private static Rows rowsOf(EmbeddedDatabase own) {
        return new Rows(() -> DriverManager.getConnection(own.url(), own.user(), own.password()));
    }

    private String untilExists(String file) {
        return "until [ -e '" + dir.resolve(file) + "' ]; do sleep 0.2; done; echo done";
    }

    private @Nullable String outcome(long task) {
        return rows.one("select outcome from task_history where id = " + task);
    }

    private static long firstAfter(Cluster cluster, String namespace, long uptimeMillis) throws Exception {
        return cluster.marks.starts(namespace).stream()
                .mapToLong(Mark::uptimeMillis)
                .filter(at -> at > uptimeMillis)
                .min()
                .orElseThrow();
    }
}
