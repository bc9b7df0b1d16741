package dev.rowlock.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Nodes as processes on one database, with times so short that a test can wait for them. */
final class Cluster implements AutoCloseable {

    static final Duration FENCE = Duration.ofSeconds(4);
    /** So much longer than the fence that a busy machine can look at what is between the two. */
    static final Duration TIMEOUT = Duration.ofSeconds(8);

    static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(6);
    /** For what should happen at once, on a machine that may be busy. */
    static final Duration SOON = Duration.ofSeconds(90);

    private static final long LOOK_NANOS = 80_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    final Marks marks;
    final Rows rows;
    private final Path dir;
    private final Map<String, String> environment;
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();

    /**
     * @param database the {@code ROWLOCK_DATABASE_*} variables
     * @param rows the same database, past the product
     */
    Cluster(Path dir, Map<String, String> database, Rows rows) throws IOException {
        this.dir = dir;
        this.rows = rows;
        this.marks = new Marks(dir.resolve("marks"));
        this.environment = new TreeMap<>(database);
        environment.putAll(Map.of(
                "ROWLOCK_SESSION_HEARTBEAT", "500ms",
                "ROWLOCK_SESSION_FENCE", FENCE.toSeconds() + "s",
                "ROWLOCK_SESSION_TIMEOUT", TIMEOUT.toSeconds() + "s",
                "ROWLOCK_SCHEDULER_HORIZON", "5s",
                "ROWLOCK_SHUTDOWN_GRACE", SHUTDOWN_GRACE.toSeconds() + "s"));
    }

    /** Starts a node, in the directory of its earlier life if it had one. */
    NodeProcess start(String name) throws IOException {
        return start(name, Map.of());
    }

    /** Starts a node with further variables, which win. */
    NodeProcess start(String name, Map<String, String> more) throws IOException {
        Map<String, String> own = new TreeMap<>(environment);
        own.put("ROWLOCK_NODE_NAME", name);
        own.putAll(more);
        NodeProcess node = NodeProcess.start(dir.resolve(name), own);
        nodes.put(name, node);
        return node;
    }

    /** Starts those of these nodes that do not run, all at once, thaws the others, and waits until all are ready. */
    void haveRunning(String... names) throws Exception {
        for (String name : names) {
            NodeProcess node = nodes.get(name);
            if (node == null || !node.isAlive()) {
                start(name);
            } else {
                node.thaw(); // a test that failed may have left it frozen
            }
        }
        for (String name : names) {
            node(name).awaitReady(SOON);
        }
    }

    /** Returns whether some node has put output of this launch into its file. */
    boolean hasOutput(String launch) {
        return nodes.keySet().stream()
                .map(name -> dir.resolve(name).resolve("data/nodes/" + name + "/output/" + launch + ".out"))
                .anyMatch(file -> file.toFile().length() > 0);
    }

    NodeProcess node(String name) {
        NodeProcess node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no node " + name);
        }
        return node;
    }

    /** One that runs. */
    NodeProcess any() {
        return nodes.values().stream().filter(NodeProcess::isAlive).findFirst().orElseThrow();
    }

    /** Creates a job with further fields as name, value, name, value … */
    void job(String namespace, String name, String schedule, String command, String... more) throws IOException {
        ObjectNode job = JSON.createObjectNode()
                .put("schedule", schedule)
                .put("command", marks.around(command))
                .put("killGrace", "2s");
        for (int i = 0; i < more.length; i += 2) {
            job.put(more[i], more[i + 1]);
        }
        HttpResponse<String> answer = any().send("PUT", "/api/v1/jobs/" + namespace + "/" + name, job.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** Runs a job once; returns the id of its task. */
    long run(String namespace, String name) throws IOException {
        HttpResponse<String> answer = any().send("POST", "/api/v1/jobs/" + namespace + "/" + name + "/run", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return JSON.readTree(answer.body()).path("id").longValue();
    }

    /** Creates jobs {@code j0}, {@code j1}, … that fire each second and do nothing but mark it. */
    void eachSecond(String namespace, int jobs) throws IOException {
        for (int i = 0; i < jobs; i++) {
            job(namespace, "j" + i, "* * * * * *", ":");
        }
    }

    void awaitRuns(String namespace, int runs) throws Exception {
        Until.holds(
                Duration.ofSeconds(60),
                runs + " runs",
                () -> rows.count("task_history where outcome = 'SUCCEEDED' and namespace = '" + namespace + "'")
                        >= runs);
    }

    void awaitRunsAfter(String namespace, long uptimeMillis) throws Exception {
        Until.holds(
                SOON,
                "a run after that moment",
                () -> marks.starts(namespace).stream().anyMatch(m -> m.uptimeMillis() > uptimeMillis));
    }

    /** Pauses the jobs that fire each second, waits for the end of what executes, and proves that none of their seconds is missing or double. */
    void settle(String namespace, int jobs) throws Exception {
        for (int i = 0; i < jobs; i++) {
            HttpResponse<String> answer = any().send("POST", "/api/v1/jobs/" + namespace + "/j" + i + "/pause", "");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
        Until.holds(
                SOON,
                "the end of what executes",
                () -> rows.count("live_task t join job j on j.id = t.job_id where j.namespace = '" + namespace
                                + "' and t.state <> 'IDLE'")
                        == 0);
        Chain.isComplete(rows, namespace);
        Chain.agrees(rows, marks, namespace);
    }

    String sessionOf(String node) {
        return String.valueOf(rows.one("select id from session where node = '" + node + "'"));
    }

    boolean isThere(String session) {
        return rows.count("session where id = '" + session + "'") == 1;
    }

    long number(String sql) {
        return Long.parseLong(String.valueOf(rows.one(sql)));
    }

    /** Returns the uptime of the last look at which there was one, in milliseconds. */
    static long awaitNoProcessOf(String session) throws Exception {
        AtomicLong seen = new AtomicLong(Uptime.millis());
        Until.holds(SOON, "the end of all processes of " + session, () -> {
            long looked = Uptime.millis();
            if (processesOf(session).isEmpty()) {
                return true;
            }
            seen.set(looked);
            LockSupport.parkNanos(LOOK_NANOS); // a look reads all of /proc
            return false;
        });
        return seen.get();
    }

    /**
     * What a node said of outages of its database, in order: {@code "away back "} for each. Told once, not at each
     * attempt; on a slow machine a server that recovers may let a statement wait for so long that it is one more.
     */
    static String outages(String log) {
        return log.lines()
                .map(line -> line.contains("The database is not available")
                        ? "away "
                        : line.contains("The database is available again") ? "back " : "")
                .collect(Collectors.joining());
    }

    /** For people who want to know: ends up in the test's output. */
    static void report(String figure) {
        System.out.println("FIGURE " + figure);
    }

    /** The processes that carry a session's id in their environment, zombies left out. */
    static List<Path> processesOf(String session) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(p -> p.getFileName().toString().matches("[0-9]+"))
                    .filter(p -> environ(p).contains("\0ROWLOCK_SESSION=" + session + "\0"))
                    .toList();
        }
    }

    private static String environ(Path process) {
        try {
            return "\0" + Files.readString(process.resolve("environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // ended meanwhile
        }
    }

    @Override
    public void close() {
        nodes.values().forEach(NodeProcess::close);
    }
}
