package dev.rowlock.node;

import dev.rowlock.Agents;
import dev.rowlock.NodePlan;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.scheduler.NotUnderstood;
import dev.rowlock.node.session.Departure;
import dev.rowlock.node.session.Identity;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.schedule.Durations;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.support.ShiftedNanos;
import dev.rowlock.task.Task;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A node without threads: a test runs its steps one by one. A crash is a step not called. */
public final class HandDrivenNode implements AutoCloseable {

    static final Duration FENCE = Duration.ofSeconds(20);
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_LOST = 3;
    private static final Duration BACKOFF = Duration.ofSeconds(1);
    /** Each is a process of its own, which nobody finds on this machine. */
    private static final AtomicLong STARTS = new AtomicLong(1L << 50);

    final ShiftedNanos nanos = new ShiftedNanos();
    public final FakeProcesses processes = new FakeProcesses(nanos);
    /** For how long the machine was suspended: time went by, and the monotonic clock stood still. */
    Duration suspended = Duration.ZERO;

    final DatabaseClock clock = new DatabaseClock(nanos, () -> nanos.uptimeMillis() + suspended.toMillis());
    /** As the daemon joins them; nobody starts their loops. */
    private final Agents agents;

    final LocalTasks localTasks;
    final Slots slots;
    final Lease lease;
    final KnownSessions knownSessions;
    final Departure departure;
    final Sessions sessions;
    final Step scheduler;
    public final Step recorder;
    public final Step keeper;
    final Step reaper;
    public final Step compensator;
    final Step reconsidering;
    final Step fence;
    /** Wakes what waits for a node, or for a group. */
    final Step waits;

    /** Its ways into the database. */
    public final List<Database> databases;

    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity) {
        this(name, address, dir, capacity, "boot-of-" + name);
    }

    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity, String bootId) {
        this(name, address, dir, capacity, bootId, Times.USUAL, Map.of());
    }

    /** One that differs from the others in how long it waits. */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, Times times) {
        this(name, address, dir, 50, "boot-of-" + name, times, Map.of());
    }

    /** One with labels. */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity, Map<String, String> labels) {
        this(name, address, dir, capacity, "boot-of-" + name, Times.USUAL, labels);
    }

    /** What a session goes by. */
    record Times(Duration heartbeat, Duration fence, Duration timeout) {
        static final Times USUAL = new Times(Duration.ofSeconds(2), FENCE, TIMEOUT);
    }

    /** One that says it is this process of this machine. */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, ClusterSession.Host host) {
        this(address, dir, settings(name, 4, Times.USUAL), host, Map.of(), NodeSecrets.NONE);
    }

    /** One with secrets. */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, Map<String, String> labels, NodeSecrets secrets) {
        this(address, dir, settings(name, 50, Times.USUAL), process(name, "boot-of-" + name), labels, secrets);
    }

    private HandDrivenNode(
            String name,
            DatabaseAddress address,
            Path dir,
            int capacity,
            String bootId,
            Times times,
            Map<String, String> labels) {
        this(address, dir, settings(name, capacity, times), process(name, bootId), labels, NodeSecrets.NONE);
    }

    private static ClusterSession.Host process(String name, String bootId) {
        return new ClusterSession.Host(name, bootId, 1, STARTS.incrementAndGet());
    }

    /** One with settings of its own. */
    HandDrivenNode(DatabaseAddress address, Path dir, EngineSettings settings) {
        this(
                address,
                dir,
                settings,
                process(settings.node(), "boot-of-" + settings.node()),
                Map.of(),
                NodeSecrets.NONE);
    }

    private HandDrivenNode(
            DatabaseAddress address,
            Path dir,
            EngineSettings settings,
            ClusterSession.Host host,
            Map<String, String> labels,
            NodeSecrets secrets) {
        String name = settings.node();
        Connections connections = new Connections(single(address), single(address), single(address));
        databases = List.of(connections.engine(), connections.results(), connections.heart());
        Identity identity = new Identity(
                name,
                host,
                "test",
                labels,
                settings.capacity(),
                false,
                secrets.keys().ids());
        NodePlan plan = new NodePlan(
                settings,
                identity,
                new Servers(address),
                connections.engine(),
                dir.resolve(name),
                new OutputLimits(65_536, 0, 0),
                SpawnMethod.AUTO,
                MAX_LOST,
                BACKOFF,
                clock,
                Clock.systemUTC(),
                Undelivered.settings(dir),
                () -> {},
                () -> Duration.ofDays(1),
                () -> false,
                taken -> {},
                TaskTraces.NONE,
                secrets);
        agents = new Agents(plan, nanos, processes, connections);
        localTasks = agents.node().localTasks();
        slots = agents.node().slots();
        lease = agents.node().lease();
        knownSessions = agents.session().known();
        departure = agents.session().departure();
        sessions = new Sessions(connections.engine(), agents.results().finish());
        Loops loops = agents.node().loops();
        scheduler = loops.step("scheduler");
        recorder = loops.step("results");
        keeper = agents.session().keeper();
        reaper = loops.step("reaper");
        compensator = loops.step("compensation");
        reconsidering = loops.step("set-aside");
        fence = loops.step("fence");
        waits = loops.step("waits");
    }

    private static EngineSettings settings(String name, int capacity, Times times) {
        return new EngineSettings(
                name,
                capacity,
                times.heartbeat(),
                times.fence(),
                times.fence().dividedBy(4),
                times.timeout(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                10_000,
                500,
                Duration.ZERO,
                100,
                Duration.ZERO,
                Map.of(
                        "session.fence", Durations.format(times.fence()),
                        "session.timeout", Durations.format(times.timeout())));
    }

    private static Database single(DatabaseAddress address) {
        return Database.single(address, Duration.ofSeconds(30));
    }

    /** Looks for work at its next pass. */
    void pollSoon() {
        agents.node().signals().tell(Signal.TASKS_FREED);
    }

    /** What its agents tell each other. */
    void listen(Signal to, Runnable listener) {
        agents.node().signals().listen(to, listener);
    }

    /** What its agents share, for a step that the test adds. */
    NodeContext context() {
        return agents.node();
    }

    /** What it believes it has prepared. */
    List<Task> prepared() {
        List<Task> tasks = new ArrayList<>();
        return localTasks.locked(prepared -> {
            prepared.bySoonest().forEach(tasks::add);
            return tasks;
        });
    }

    /** As if the answer to the commit that prepared them had been lost. */
    void forgetPrepared() {
        localTasks.locked(prepared -> {
            prepared.clear();
            return true;
        });
    }

    /** Why it takes no work. */
    Optional<String> notReady() {
        return agents.session().readiness(new Outage(nanos, Duration.ZERO)).first(Optional.empty());
    }

    /** Which secrets it can read, for people. */
    String secrets() {
        return agents.scheduling().secrets();
    }

    /** What does not go on, for people. */
    Optional<String> problem() {
        return agents.scheduling().problem();
    }

    NotUnderstood notUnderstood() {
        return agents.scheduling().notUnderstood();
    }

    /** Looks now, not when the second is over. */
    public void schedule() {
        pollSoon();
        Pass pass = scheduler.runOnce();
        for (int i = 0; i < 50 && pass.more(); i++) {
            pass = scheduler.runOnce();
        }
    }

    /** Beats, and looks at the others, every two seconds for that long. */
    void beatFor(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusSeconds(2)) {
            nanos.advance(Duration.ofSeconds(2));
            keeper.runOnce();
        }
    }

    public String session() {
        return lease.current().orElseThrow().sessionId();
    }

    @Override
    public void close() {
        agents.close();
    }
}
