package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static dev.rowlock.nodes.OperatorShell.blocks;
import static dev.rowlock.nodes.OperatorShell.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.nodes.OperatorShell.Said;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Backup and restore as docs/operations.md has them, line by line. */
@Tag("database")
@Tag("slow")
class ProceduresTest {

    private static final String OPERATIONS = "operations.md";
    private static final String VIEWS =
            "information_schema.views where table_schema = database() and security_type = 'INVOKER'";

    @RegisterExtension
    final TestDatabase before = TestDatabase.withoutTables();

    @RegisterExtension
    final TestDatabase after = TestDatabase.withoutTables();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private OperatorShell shell;
    private ClientPrograms programs;

    @BeforeEach
    void install() throws Exception {
        shell = new OperatorShell(dir);
        programs = ClientPrograms.of(new Rows(before));
    }

    /** An account that may do everything in this database, and nothing beyond it. */
    private Map<String, String> account(TestDatabase database, String name) throws IOException {
        String user = name + before.name().replaceAll(".*_(\\d+_\\d+)$", "_$1");
        new Rows(database).account(user, "secret", database.name());
        programs.install(shell, dir, database, user, "secret");
        Map<String, String> environment = new TreeMap<>(NodeProcess.on(database));
        environment.put("ROWLOCK_DATABASE_USER", user);
        environment.put("ROWLOCK_DATABASE_PASSWORD", "secret");
        return environment;
    }

    private static String named(String lines, TestDatabase database) {
        return lines.replaceAll(" rowlock (?=[<>])", " " + database.name() + " ");
    }

    private String backup() throws IOException {
        return named(lines(blocks(OPERATIONS, "## Backup").get(0), programs.dump() + " "), before);
    }

    @Test
    void a_dump_of_a_working_cluster_is_restored_under_another_account() throws Exception {
        Rows old = new Rows(before);
        try (Cluster cluster = new Cluster(dir, account(before, "maker"), old)) {
            NodeProcess node = cluster.start("db1").awaitReady(SOON);
            cluster.job("ops", "often", "* * * * * *", ":");
            cluster.job("ops", "long", "@manual", "until [ -e " + dir.resolve("go") + " ]; do sleep 0.1; done");
            cluster.run("ops", "long");
            Until.holds(SOON, "its start", () -> old.count("v_running where job = 'long'") == 1);
            cluster.awaitRuns("ops", 2);

            assertThat(shell.run(backup()).replaceAll("mysqldump: Error: .*masking policies\n", ""))
                    .as("nothing that the docs do not mention")
                    .isEmpty();
            Files.createFile(dir.resolve("go"));

            Until.holds(
                    SOON, "its end", () -> old.count("task_history where job = 'long' and outcome = 'SUCCEEDED'") == 1);
            node.terminate();
            assertThat(node.awaitExit(SOON)).isZero();
        }
        Rows rows = new Rows(after);
        try (Cluster cluster =
                new Cluster(Files.createDirectories(dir.resolve("restored")), account(after, "loader"), rows)) {
            List<String> restore = blocks(OPERATIONS, "## Restore");

            shell.run(named(lines(restore.get(0), "sed ", programs.client() + " rowlock"), after));
            assertThat(rows.count(VIEWS)).isEqualTo(9);
            rows.run(restore.get(1).strip());
            rows.run(restore.get(2).strip());
            NodeProcess node = cluster.start("db1", Map.of("ROWLOCK_MISFIRE_THRESHOLD", "2s"));
            Until.holds(SOON, "its first answer", () -> node.status("/readyz") != 0);
            node.awaitHealth("draining: somebody drained this node", SOON);
            shell.variable("ROWLOCK_URL", node.url());
            shell.variable("ROWLOCK_TOKEN", node.token());
            shell.run("rowlock node undrain db1");

            Until.holds(
                    SOON,
                    "the second attempt of what was lost",
                    () -> rows.count("task_history where job = 'long' and attempt = 2 and outcome = 'SUCCEEDED'") == 1);
            assertThat(rows.one("select reason from task_history where job = 'long' and outcome = 'LOST'"))
                    .asString()
                    .contains("the daemon of node db1 died while the command ran");
            Until.holds(
                    SOON,
                    "runs",
                    () -> rows.count("task_history where job = 'often' and fire_time > ("
                                    + "select max(ended_at) from task_history where job = 'long')")
                            > 1);
            assertThat(rows.count("task_history where job = 'often' and outcome = 'MISSED' and occurrences > 1"))
                    .isPositive();
            assertThat(Long.parseLong(String.valueOf(rows.one("select max(counter) from cluster_lock"))))
                    .isGreaterThan(1_000_000_000L);
            assertThat(rows.count("v_broken_link")).isZero();
            assertThat(rows.count(VIEWS)).isEqualTo(9);
            assertThat(shell.run("rowlock doctor || [ $? = 1 ]"))
                    .containsPattern("ok +losses +of the last day, tasks are 1 LOST and [1-9]+ MISSED")
                    .containsPattern("ok +database-clock +not behind what the tables know of");
        }
    }

    /** The load ends where views in another's name begin; the node makes them. */
    @Test
    void a_restore_that_broke_off_at_the_views_is_mended_by_the_node() throws Exception {
        try (Cluster cluster = new Cluster(dir, account(before, "maker"), new Rows(before))) {
            NodeProcess node = cluster.start("db1").awaitReady(SOON);
            cluster.job("ops", "often", "* * * * * *", ":");
            shell.run(backup());
            node.terminate();
            assertThat(node.awaitExit(SOON)).isZero();
        }
        Rows rows = new Rows(after);
        try (Cluster cluster =
                new Cluster(Files.createDirectories(dir.resolve("restored")), account(after, "loader"), rows)) {
            String load = lines(blocks(OPERATIONS, "## Restore").get(0), programs.client() + " rowlock");
            Said said = shell.tried(named(load, after));
            assertThat(said.exitCode()).isNotZero();
            assertThat(said.text()).contains("1227");
            assertThat(rows.count(VIEWS)).isLessThan(9);

            NodeProcess node = cluster.start("db1").awaitReady(SOON);
            cluster.awaitRuns("ops", 1);

            assertThat(rows.count(VIEWS)).isEqualTo(9);
            assertThat(rows.all("select * from v_broken_link")).isEmpty();
            assertThat(node.log())
                    .contains("recreated the views that were missing or no real ones, as after a restore");
        }
    }
}
