package dev.rowlock.bench;

import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.Node;
import dev.rowlock.NodePlan;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.db.Database;
import dev.rowlock.db.Servers;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.Launching;
import dev.rowlock.node.TaskTraces;
import dev.rowlock.alert.send.AlertAgent;
import dev.rowlock.node.session.Identity;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.Launcher;
import dev.rowlock.exec.OperatorCommand;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.alert.send.Destinations;
import dev.rowlock.alert.send.Sender;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One or more nodes of the product, with the settings of a fresh installation but for the number of slots. */
final class Rowlock implements Contender {

    private static final OutputLimits OUTPUT = new OutputLimits(10 << 20, 64 << 10, 64 << 10);

    private final Task task;
    private final SpawnMethod method;
    private final Duration retention;
    private final Map<String, String> labels;
    private final Path dir;
    private final List<Database> pools = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Path> journals = new ArrayList<>();

    Rowlock(Task task, int nodes) throws IOException {
        this(task, nodes, SpawnMethod.AUTO);
    }

    Rowlock(Task task, int nodes, SpawnMethod method) throws IOException {
        this(task, method, Duration.ofDays(30), Map.of());
        insertJobs();
        addNodes(nodes);
    }

    /** @param retention how long history is kept; zero: for ever */
    Rowlock(Task task, int nodes, Duration retention) throws IOException {
        this(task, SpawnMethod.AUTO, retention, Map.of());
        insertJobs();
        addNodes(nodes);
    }

    /** One node, for jobs that are there already. */
    Rowlock(Task task, Map<String, String> labels) throws IOException {
        this(task, SpawnMethod.AUTO, Duration.ofDays(30), labels);
        addNodes(1);
    }

    private Rowlock(Task task, SpawnMethod method, Duration retention, Map<String, String> labels) throws IOException {
        this.task = task;
        this.method = method;
        this.retention = retention;
        this.labels = labels;
        this.dir = Files.createTempDirectory("rowlock-bench");
    }

    private void insertJobs() {
        RowlockJobs.insert(task.schema(), task.jobs(), task.cron(), "true", task.first());
    }

    private void addNodes(int count) throws IOException {
        for (int i = 1; i <= count; i++) {
            nodes.add(node("node-" + i));
        }
    }

    /** Ends a node without a word: its session stays behind, as when its host has lost power. */
    void crash(int index) {
        journals.remove(index);
        nodes.remove(index).close();
    }

    private Node node(String name) throws IOException {
        Path home = Files.createDirectories(dir.resolve(name));
        Servers servers = new Servers(task.schema().address);
        Database pool = Database.pooled(servers, 10, Duration.ofSeconds(5));
        pools.add(pool);
        journals.add(home.resolve("results.journal"));
        Launching launching = (guarded, ended) -> task.command() != Command.TRUE
                ? new NoProcesses(ended, task.starts(), task.command() == Command.HOLD)
                : new WatchedStarts(
                        to -> new Launcher(home.resolve("output"), OUTPUT, method, System::nanoTime, guarded, to),
                        ended,
                        task.starts());
        return new Node(plan(name, home, servers, pool), launching);
    }

    private NodePlan plan(String name, Path home, Servers servers, Database pool) {
        HostIdentity host = HostIdentity.current();
        return new NodePlan(
                new EngineSettings(
                        name,
                        task.slots(),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(60),
                        10_000,
                        500,
                        retention,
                        100,
                        retention,
                        Map.of()),
                new Identity(
                        name,
                        // Each is its own host, so that no node is judged by the life of this process.
                        new ClusterSession.Host(name, host.bootId() + name, host.pid(), host.startTime()),
                        "bench",
                        labels,
                        task.slots(),
                        false),
                servers,
                pool,
                home,
                OUTPUT,
                method,
                3,
                Duration.ofSeconds(1),
                new DatabaseClock(System::nanoTime, Uptime::millis),
                Clock.systemUTC(),
                new AlertSettings(
                        new Sender(
                                new Destinations(List.of(), InetAddress::getAllByName),
                                null,
                                Map.of(),
                                new OperatorCommand(home)),
                        null,
                        null,
                        Duration.ofMinutes(1)),
                () -> {},
                () -> Duration.ofDays(1),
                () -> false,
                taken -> {
                    throw new IllegalStateException(taken);
                },
                TaskTraces.NONE,
                NodeSecrets.NONE);
    }

    @Override
    public void start() {
        nodes.forEach(Node::start);
        for (Node node : nodes) {
            if (!Machine.await(30, 5, () -> node.health().notReady().isEmpty())) {
                throw new IllegalStateException(
                        "the node is not ready: " + node.health().notReady().orElse(""));
            }
        }
    }

    /**
     * The journals are empty when all is recorded, and asking them is no burden on what is measured; the table has the
     * last word.
     */
    @Override
    public boolean isDone() {
        return journals.stream().allMatch(journal -> journal.toFile().length() == 0)
                && task.schema().number("select 1 from task where state in ('PREPARED', 'EXECUTING') limit 1") == 0;
    }

    @Override
    public long givenUp() {
        return task.schema().number("select coalesce(sum(occurrences), 0) from task_history where outcome <> 'SUCCEEDED'");
    }

    @Override
    public Line recorded(Instant begin, Instant end) {
        String window = " >= '" + RowlockJobs.SQL.format(begin) + "' and %1$s < '" + RowlockJobs.SQL.format(end) + "'";
        String due = "task_history where outcome = 'SUCCEEDED' and fire_time" + window.formatted("fire_time");
        String started = "task_history where started_at" + window.formatted("started_at");
        long onTime = number("select count(*) from " + due);
        long starts = number("select count(*) from " + started);
        double mean = (double) starts / task.jobs();
        // A job that never started has no group.
        long least = number("select count(distinct job_id) from " + started) < task.jobs()
                ? 0
                : number("select min(c) from (select count(*) c from " + started + " group by job_id) g");
        return Line.of(
                        "recorded_late_p99_ms",
                        number("select lateness_ms from " + due + " order by lateness_ms limit 1 offset "
                                + Math.max(0, onTime * 99 / 100 - 1)))
                .with("starts_per_s", starts * 1000.0 / Duration.between(begin, end).toMillis())
                .with("started_late_p99_ms", number("select coalesce(max(l), 0) from (select lateness_ms l from " + started
                        + " order by lateness_ms limit " + Math.max(1, starts * 99 / 100) + ") g"))
                .with("worst_job_share", least / mean)
                .with("not_run", number("select coalesce(sum(occurrences), 0) from task_history where outcome in"
                        + " ('SKIPPED', 'MISSED', 'LOST')"));
    }

    private long number(String query) {
        return task.schema().number(query);
    }

    @Override
    public long finished() {
        return RowlockJobs.finished(task.schema());
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(node -> node.stop(Duration.ZERO));
        nodes.forEach(Node::close);
        pools.forEach(Database::close);
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
