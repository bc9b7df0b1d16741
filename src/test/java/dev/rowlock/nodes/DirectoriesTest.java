package dev.rowlock.nodes;

import static dev.rowlock.nodes.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TcpRelay;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Data directories that are copied, renamed or shared, and databases that are restored: the rows of the table in
 * docs/operations.md, each with what becomes of commands, results, history and secrets.
 */
@Tag("database")
@Tag("slow")
class DirectoriesTest {

    private static final String KEY = KeyRing.newKey();
    private static final Map<String, String> WITH_KEY = Map.of("ROWLOCK_SECRETS_KEY", KEY);
    private static final String ENDED = "select outcome, attempt, node from task_history order by id";

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    private final Rows rows = new Rows(database);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    /** The last as a snapshot of a volume that another machine has mounted, or this one after a reboot. */
    @ParameterizedTest
    @ValueSource(strings = {"its own name", "another name", "another name, of another boot"})
    void copied_while_its_node_works(String how) throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess original = cluster.start("a", WITH_KEY).awaitReady(SOON);
            secretJob(original, "long", "echo begun; " + untilExists("go") + "; echo ended; [[ $PW == a-secret ]]");
            cluster.run("default", "long");
            Path output = dir.resolve("a/data/nodes/a/output");
            Until.holds(SOON, "some output", () -> holdsOutput(output));
            copy("a", "copy");
            if (how.endsWith("boot")) {
                Path sessions = dir.resolve("copy/data/nodes/a/sessions");
                String line = Files.readString(sessions);
                Files.writeString(sessions, line.replaceFirst(" [^ ]+ ", " 00000000-0000-0000-0000-000000000000 "));
            }

            Map<String, String> environment = new TreeMap<>(WITH_KEY);
            environment.put("ROWLOCK_NODE_NAME", how.equals("its own name") ? "a" : "copy");
            NodeProcess copy = cluster.start("copy", environment);
            if (how.equals("its own name")) {
                assertThat(copy.awaitExit(SOON)).isEqualTo(78);
                assertThat(copy.log()).contains("node.name: a node named \"a\" is alive already");
            } else {
                copy.awaitReady(SOON);
            }
            Files.createFile(dir.resolve("go"));

            Until.holds(SOON, "its end", () -> rows.count("task_history") == 1 && rows.count("task_output") == 1);
            assertThat(rows.all(ENDED)).containsExactly(ended("SUCCEEDED", 1, "a"));
            assertThat(String.valueOf(rows.one("select convert(head using utf8mb4) from task_output")))
                    .isEqualTo("begun\nended\n");
        }
    }

    @Test
    void copied_with_a_result_that_waits_records_it_once() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess original = cluster.start("a", Map.of("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port())))
                    .awaitReady(SOON);
            cluster.job("default", "waits", "@manual", "echo some output; " + untilExists("go"));
            cluster.run("default", "waits");
            Until.holds(SOON, "a start", () -> cluster.marks.starts("default").size() == 1);
            relay.goAway();
            Files.createFile(dir.resolve("go"));
            Path journal = dir.resolve("a/data/nodes/a/results.journal");
            Until.holds(SOON, "a result in the journal", () -> Files.size(journal) > 0);
            copy("a", "copy");

            cluster.start("copy").awaitReady(SOON);
            Until.holds(SOON, "its end", () -> rows.count("task_history") == 1);
            relay.passThrough();
            original.awaitReady(SOON);
            Until.holds(SOON, "no result that waits", () -> Files.size(journal) == 0);

            assertThat(rows.all(ENDED)).containsExactly(ended("SUCCEEDED", 1, "a"));
            Until.holds(SOON, "its output", () -> rows.count("task_output where head = 'some output\n'") == 1);
        }
    }

    /** As a container without a fixed name is, at each start. */
    @Test
    void renamed_after_a_kill() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess old = cluster.start("a", WITH_KEY).awaitReady(SOON);
            secretJob(old, "plain", "[[ $PW == a-secret ]]");
            cluster.job("default", "cut", "@manual", "echo some output; " + untilExists("go"));
            cluster.run("default", "plain");
            Until.holds(SOON, "its end", () -> rows.count("task_history") == 1);
            cluster.run("default", "cut");
            Path output = dir.resolve("a/data/nodes/a/output");
            Until.holds(SOON, "some output", () -> holdsOutput(output));
            String session = cluster.sessionOf("a");
            old.kill();
            old.awaitExit(SOON);

            Map<String, String> environment = new TreeMap<>(WITH_KEY);
            environment.put("ROWLOCK_NODE_NAME", "renamed");
            NodeProcess renamed = cluster.start("a", environment).awaitReady(SOON);
            Cluster.awaitNoProcessOf(session);
            Files.createFile(dir.resolve("go"));
            Until.holds(SOON, "the end of the second attempt", () -> rows.count("task_history") == 3);
            cluster.run("default", "plain");
            Until.holds(SOON, "its end", () -> rows.count("task_history") == 4);

            assertThat(rows.all(ENDED))
                    .containsExactly(
                            ended("SUCCEEDED", 1, "a"),
                            ended("LOST", 1, "a"),
                            ended("SUCCEEDED", 2, "renamed"),
                            ended("SUCCEEDED", 1, "renamed"));
            Until.holds(
                    SOON,
                    "the output of both attempts",
                    () -> rows.count("task_output o join task_history h on h.id = o.task_id"
                                    + " where o.head = 'some output\n' and h.outcome in ('LOST', 'SUCCEEDED')")
                            == 2);
            Until.holds(SOON, "no output that is left on the disk", () -> !holdsOutput(output));
            assertThat(renamed.status("/readyz")).isEqualTo(200);
        }
    }

    @Test
    void shared_by_two_nodes() throws Exception {
        Map<String, String> shared =
                Map.of("ROWLOCK_DATA_DIR", dir.resolve("a/data").toString());
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            cluster.start("a").awaitReady(SOON);
            cluster.job("default", "long", "@manual", untilExists("go"));
            cluster.run("default", "long");
            Until.holds(SOON, "a start", () -> cluster.marks.starts("default").size() == 1);

            Map<String, String> same = new TreeMap<>(shared);
            same.put("ROWLOCK_NODE_NAME", "a");
            NodeProcess refused = cluster.start("same", same);
            assertThat(refused.awaitExit(SOON)).isEqualTo(1);
            assertThat(refused.log()).contains("another process uses", "node.name", "data.dir");
            cluster.start("b", shared).awaitReady(SOON);
            Files.createFile(dir.resolve("go"));

            Until.holds(SOON, "its end", () -> rows.count("task_history") == 1);
            assertThat(rows.all(ENDED)).containsExactly(ended("SUCCEEDED", 1, "a"));
        }
    }

    /**
     * The restored database knows nothing of what came after the dump, and gives its ids again: what a node has kept of
     * those launches must not become the result of others.
     */
    @Test
    void restored_from_a_backup() throws Exception {
        try (TcpRelay relay = TcpRelay.to(database.address());
                Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            Map<String, String> through = new TreeMap<>(WITH_KEY);
            through.put("ROWLOCK_DATABASE_URL", database.urlThrough(relay.port()));
            NodeProcess node = cluster.start("a", through).awaitReady(SOON);
            secretJob(node, "long", untilExists("go") + "; [[ $PW == a-secret ]]");
            cluster.job("default", "short", "@manual", "echo short; " + untilExists("go"));
            cluster.job("default", "often", "* * * * * *", ":", "misfire", "SKIP");
            cluster.run("default", "long");
            Until.holds(SOON, "runs", () -> rows.count("task_history where node = 'a'") >= 2);
            pause(node, "often");
            dump();
            Until.holds(SOON, "a later run", () -> rows.count("live_task where state <> 'IDLE'") == 1);
            cluster.run("default", "short");
            Until.holds(
                    SOON,
                    "its start",
                    () -> cluster.marks.starts("default").stream()
                            .anyMatch(mark -> mark.job().endsWith("short")));
            assertThat(storeSecret(node, "later", "of no backup")).isEqualTo(201);
            relay.goAway();
            Files.createFile(dir.resolve("go"));
            Path journal = dir.resolve("a/data/nodes/a/results.journal");
            Until.holds(
                    SOON,
                    "both results in the journal",
                    () -> Files.readAllLines(journal).size() >= 2);
            node.kill();
            node.awaitExit(SOON);
            restore();
            relay.passThrough();

            NodeProcess restored = cluster.start("a", through).awaitReady(SOON);
            Until.holds(SOON, "the end of long", () -> rows.count("live_task where state <> 'IDLE'") == 0);
            long again = cluster.run("default", "short");
            Until.holds(SOON, "the end of short", () -> rows.count("task_history where id = " + again) == 1);

            assertThat(rows.all("select outcome, attempt, node from task_history where id = " + again))
                    .containsExactly(ended("SUCCEEDED", 1, "a"));
            // What was executing at the dump ended meanwhile, and its result was kept: it is no loss.
            assertThat(rows.all("select h.outcome, h.attempt, h.node from task_history h join job j on j.id = h.job_id"
                            + " where j.name = 'long' order by h.id"))
                    .containsExactly(ended("SUCCEEDED", 1, "a"));
            assertThat(rows.count("v_broken_link")).isZero();
            assertThat(restored.status("/api/v1/secrets/default/later")).isEqualTo(404);
        }
    }

    /** A backup from before the key was rotated. */
    @Test
    void restored_from_an_older_backup_whose_key_is_gone() throws Exception {
        try (Cluster cluster = new Cluster(dir, NodeProcess.on(database), rows)) {
            NodeProcess node = cluster.start("a", WITH_KEY).awaitReady(SOON);
            secretJob(node, "plain", "[[ $PW == a-secret ]]");
            dump();
            stop(node);
            String key = KeyRing.newKey();
            node = cluster.start("a", Map.of("ROWLOCK_SECRETS_KEY", key, "ROWLOCK_SECRETS_PREVIOUS_KEYS", KEY))
                    .awaitReady(SOON);
            assertThat(node.send("POST", "/api/v1/secrets/rotate", "").body()).contains("\"left\":[]");
            stop(node);
            restore();

            node = cluster.start("a", Map.of("ROWLOCK_SECRETS_KEY", key)).awaitReady(SOON);
            cluster.run("default", "plain");
            Until.holds(SOON, "a failure", () -> rows.count("task_history where outcome = 'FAILED'") == 1);
            assertThat(String.valueOf(rows.one("select reason from task_history")))
                    .contains("could not be started", "secrets.previous-keys");
            node.awaitHealth("add them to secrets.key-file or secrets.previous-keys", SOON);
            stop(node);
            cluster.start("a", Map.of("ROWLOCK_SECRETS_KEY", key, "ROWLOCK_SECRETS_PREVIOUS_KEYS", KEY))
                    .awaitReady(SOON);
            cluster.run("default", "plain");
            Until.holds(SOON, "its end", () -> rows.count("task_history where outcome = 'SUCCEEDED'") == 1);
        }
    }

    private static Map<String, String> ended(String outcome, int attempt, String node) {
        return Map.of("outcome", outcome, "attempt", "" + attempt, "node", node);
    }

    private static void stop(NodeProcess node) throws Exception {
        node.terminate();
        assertThat(node.awaitExit(SOON)).isZero();
    }

    private static int storeSecret(NodeProcess node, String name, String value) {
        return node.send("PUT", "/api/v1/secrets/default/" + name, "{\"value\": \"" + value + "\"}")
                .statusCode();
    }

    private static void secretJob(NodeProcess node, String name, String command) {
        assertThat(storeSecret(node, "password", "a-secret")).isEqualTo(201);
        String job = "{\"schedule\": \"@manual\", \"secretEnv\": {\"PW\": \"password\"}, \"command\": \""
                + command.replace("\"", "\\\"") + "\"}";
        HttpResponse<String> answer = node.send("PUT", "/api/v1/jobs/default/" + name, job);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static void pause(NodeProcess node, String name) {
        assertThat(node.send("POST", "/api/v1/jobs/default/" + name + "/pause", "")
                        .statusCode())
                .isEqualTo(200);
    }

    private static boolean holdsOutput(Path output) throws IOException {
        try (var files = Files.list(output)) {
            return files.anyMatch(
                    file -> file.toString().endsWith(".out") && file.toFile().length() > 0);
        }
    }

    private void copy(String from, String to) throws Exception {
        Files.createDirectories(dir.resolve(to));
        int code = new ProcessBuilder(
                        "cp",
                        "-a",
                        dir.resolve(from + "/data").toString(),
                        dir.resolve(to + "/data").toString())
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private String untilExists(String file) {
        return "until [ -e '" + dir.resolve(file) + "' ]; do sleep 0.2; done";
    }

    private List<String> tables() {
        return rows
                .all("select table_name as name from information_schema.tables where table_schema = database()"
                        + " and table_type = 'BASE TABLE' and table_name not like 'kept\\_%'")
                .stream()
                .map(row -> String.valueOf(row.get("name")))
                .toList();
    }

    /** Copies of all tables beside them, as of one moment at which nobody writes that matters. */
    private void dump() {
        for (String table : tables()) {
            rows.run("create table `kept_" + table + "` as select * from `" + table + "`");
        }
    }

    private void restore() {
        for (String table : tables()) {
            rows.run("truncate table `" + table + "`");
            String columns = String.valueOf(rows.one("select group_concat('`', column_name, '`') from"
                    + " information_schema.columns where table_schema = database() and table_name = '" + table
                    + "' and extra not like '%GENERATED%'"));
            rows.run("insert into `" + table + "` (" + columns + ") select " + columns + " from `kept_" + table + "`");
        }
    }
}
