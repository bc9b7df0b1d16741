package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Whatever keeps a node from its database: the log says so once on the way down and once on the way up, and /readyz all the while. */
@Tag("database")
@Tag("slow")
class SaidOnceTest {

    private static final String WHO = "said_once";

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void a_host_that_nobody_knows() throws Exception {
        Map<String, String> environment = NodeProcess.on(database);
        environment.put("ROWLOCK_DATABASE_URL", "jdbc:mysql://no-such-host.invalid:3306/rowlock");
        try (Cluster cluster = new Cluster(dir, environment, new Rows(database))) {
            NodeProcess a = cluster.start("a");
            isSaid(a, "no-such-host.invalid");

            assertThat(troubles(a)).hasSize(1).allMatch(line -> line.contains("The database is not available"));
        }
    }

    @Test
    void a_server_that_denies_access_and_then_takes_no_writes() throws Exception {
        Rows rows = new Rows(database);
        rows.account(WHO, "right", database.name());
        try (TcpRelay relay = TcpRelay.to(database.address())) {
            Map<String, String> environment = NodeProcess.on(database);
            environment.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
            environment.put("ROWLOCK_DATABASE_USER", WHO);
            environment.put("ROWLOCK_DATABASE_PASSWORD", "right");
            try (Cluster cluster = new Cluster(dir, environment, rows)) {
                NodeProcess a = cluster.start("a").awaitReady(SOON);
                cluster.eachSecond("said", 3);
                cluster.awaitRuns("said", 6);

                rows.run("alter user " + WHO + " identified by 'wrong'");
                relay.cutAll();
                isSaid(a, "Access denied for user");
                rows.run("alter user " + WHO + " identified by 'right'");
                a.awaitReady(SOON);
                rows.run("set global read_only = 1");
                isSaid(a, "read-only option");
                rows.run("set global read_only = 0");
                a.awaitReady(SOON);
                cluster.awaitRunsAfter("said", Uptime.millis());

                // First, if a statement was under way, that its connection broke.
                List<String> said = troubles(a);
                assertThat(said).hasSizeBetween(2, 3);
                assertThat(said.subList(0, said.size() - 2))
                        .allMatch(line -> line.contains("The database is not available"));
                assertThat(said.subList(said.size() - 2, said.size()))
                        .satisfiesExactly(
                                line -> assertThat(line)
                                        .contains(
                                                "The database does not let the account in",
                                                "refuses the account " + WHO),
                                line -> assertThat(line).contains("The database is not available"));
                assertThat(a.log().lines().filter(line -> line.contains("The database is available again")))
                        .hasSize(2);
            }
        } finally {
            rows.run("set global read_only = 0");
            rows.run("drop user " + WHO);
        }
    }

    /** By /readyz, for longer than a session timeout, so that whatever is repeated would be repeated by then. */
    private static void isSaid(NodeProcess node, String why) throws Exception {
        Until.holds(
                SOON,
                "what is wrong",
                () -> node.status("/readyz") == 503
                        && node.get("/readyz").body().contains(why));
        long since = Uptime.millis();
        Until.holds(SOON, "some time", () -> Uptime.millis() - since > Cluster.TIMEOUT.toMillis() + 1000);
        node.awaitHealth(why, SOON);
    }

    /** Warnings, errors and the lines of stack traces. */
    private static List<String> troubles(NodeProcess node) {
        return node.log()
                .lines()
                .filter(line -> line.contains(" WARN ") || line.contains(" ERROR ") || line.startsWith("\tat "))
                .toList();
    }
}
