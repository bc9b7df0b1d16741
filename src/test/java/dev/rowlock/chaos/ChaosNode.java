package dev.rowlock.chaos;

import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TcpRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One node of the run, through all its lives: its relay and its directory stay, its process comes and goes. */
final class ChaosNode implements AutoCloseable {

    static final Duration FENCE = Duration.ofSeconds(4);
    static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** The number of the node that has other settings, where settings are mixed. */
    static final int PATIENT = 1;

    /** Of the patient node, where settings are mixed. */
    static final Duration LONG_FENCE = Duration.ofSeconds(8);

    static final Duration LONG_TIMEOUT = Duration.ofSeconds(10);
    static final Duration SHUTDOWN_GRACE = Duration.ofSeconds(3);
    static final Duration MISFIRE = Duration.ofSeconds(12);

    private static final int TERMINATED = 128 + 15;

    private static final Map<String, String> SETTINGS = Map.of(
            "ROWLOCK_SESSION_HEARTBEAT", "500ms",
            "ROWLOCK_SESSION_FENCE", FENCE.toSeconds() + "s",
            "ROWLOCK_SESSION_TIMEOUT", TIMEOUT.toSeconds() + "s",
            "ROWLOCK_SCHEDULER_HORIZON", "5s",
            "ROWLOCK_MISFIRE_THRESHOLD", MISFIRE.toSeconds() + "s",
            "ROWLOCK_SHUTDOWN_GRACE", SHUTDOWN_GRACE.toSeconds() + "s");

    private static final Pattern GIVEN_BACK = Pattern.compile("gave back [0-9]+ tasks that the table .*: ([0-9 ]+)");

    private final String name;
    private final Path dir;
    private final Map<String, String> environment;
    private final List<TcpRelay> relays;
    private final ReadWriteLock starting;
    private final Timeline<Map<String, String>> labels;
    private NodeProcess process;
    private int lives;
    private boolean meantToRun;
    private long logStart;

    /**
     * @param environment what it needs besides the settings of every node
     * @param starting held for reading while it starts
     * @param labels told of those that it is configured with
     */
    ChaosNode(
            String name,
            Path dir,
            Map<String, String> environment,
            List<TcpRelay> relays,
            ReadWriteLock starting,
            Timeline<Map<String, String>> labels) {
        this.name = name;
        this.labels = labels;
        this.dir = dir;
        this.environment = new java.util.TreeMap<>(SETTINGS);
        this.environment.putAll(environment);
        this.environment.put("ROWLOCK_NODE_NAME", name);
        this.starting = starting;
        this.relays = List.copyOf(relays);
    }

    /** What the environment of a node adds that is more patient than the others. */
    static Map<String, String> patience() {
        return Map.of(
                "ROWLOCK_SESSION_HEARTBEAT", "1s",
                "ROWLOCK_SESSION_FENCE", LONG_FENCE.toSeconds() + "s",
                "ROWLOCK_SESSION_TIMEOUT", LONG_TIMEOUT.toSeconds() + "s");
    }

    String name() {
        return name;
    }

    /** One for each server of the database. */
    List<TcpRelay> relays() {
        return relays;
    }

    Path dir() {
        return dir;
    }

    /** Starts it, once nobody wants that no node starts. */
    void start() throws IOException {
        starting.readLock().lock();
        try {
            startNow();
        } finally {
            starting.readLock().unlock();
        }
    }

    private synchronized void startNow() throws IOException {
        if (running().isPresent()) {
            throw new IllegalStateException("node " + name + " runs already");
        }
        configureLabels();
        logStart = Files.exists(dir.resolve("node.log")) ? Files.size(dir.resolve("node.log")) : 0;
        process = NodeProcess.start(dir, environment);
        meantToRun = true;
    }

    /** The zone of its last life. */
    synchronized String zone() {
        return zone(lives - 1);
    }

    private String zone(int life) {
        return PolicyDraw.ZONES.get(Math.floorMod(name.hashCode() + life, PolicyDraw.ZONES.size()));
    }

    /** Each life lies in another zone. They come into force when it joins: {@link SessionWatch} sees that. */
    private void configureLabels() {
        Map<String, String> own = Map.of(Conditions.ZONE, zone(lives++));
        environment.put("ROWLOCK_NODE_LABELS", Conditions.ZONE + "=" + own.get(Conditions.ZONE));
        labels.asked(own, Uptime.millis());
    }

    /** The running process; empty while it is dead. */
    synchronized Optional<NodeProcess> running() {
        return Optional.ofNullable(process).filter(NodeProcess::isAlive);
    }

    /** The process of its last life, dead or alive. */
    synchronized NodeProcess last() {
        return process;
    }

    /** A sentence about a death that nobody has caused. */
    synchronized Optional<String> diedByItself() throws InterruptedException, IOException {
        if (!meantToRun || process == null || process.isAlive()) {
            return Optional.empty();
        }
        meantToRun = false;
        return Optional.of("node " + name + " ended by itself with code "
                + process.awaitExit(Duration.ofSeconds(1)) + " before uptime " + Uptime.millis() + ":\n"
                + logOfThisLife());
    }

    synchronized void kill() throws InterruptedException {
        meantToRun = false;
        process.kill();
    }

    /** JVM and guard; what they were running stays. */
    synchronized void killWithGuard() throws InterruptedException, IOException {
        meantToRun = false;
        process.freeze(); // so that it cannot start another guard in between
        List<Long> guards = Processes.guardsOf(process.pid());
        guards.forEach(Processes::kill);
        process.kill();
    }

    /** SIGTERM; returns at once. */
    synchronized void terminate() throws IOException, InterruptedException {
        meantToRun = false;
        process.terminate();
    }

    /** SIGTERM, unless it was sent before. A sentence about an end that was not in order. */
    synchronized Optional<String> stop(Duration limit) throws IOException, InterruptedException {
        if (meantToRun) {
            meantToRun = false;
            process.terminate();
        }
        int code;
        try {
            code = process.awaitExit(limit);
        } catch (AssertionError e) {
            killWithGuard();
            return Optional.of("node " + name + " did not end within " + limit + " of SIGTERM: " + e.getMessage());
        }
        // A JVM that has only begun to start is ended by the signal itself, or cannot go on with its start.
        String said = code == 0 ? "" : logOfThisLife();
        boolean inOrder = code == 0
                || (code == TERMINATED && !said.contains("listening on"))
                || (code == 1 && said.startsWith("Error occurred during initialization of VM"));
        return inOrder
                ? Optional.empty()
                : Optional.of("node " + name + " ended with code " + code + " when it was stopped, before uptime "
                        + Uptime.millis());
    }

    private String logOfThisLife() throws IOException {
        byte[] log = Files.readAllBytes(dir.resolve("node.log"));
        return new String(log, (int) logStart, log.length - (int) logStart, StandardCharsets.UTF_8);
    }

    /** Lines of its log, of all its lives, that report an error. */
    List<String> errors() throws IOException {
        return log().stream().filter(line -> line.contains(" ERROR ")).toList();
    }

    /** Tasks whose start it has taken back, in any of its lives: the table had it, but no command was started. */
    Set<Long> takenBack() throws IOException {
        Set<Long> tasks = new HashSet<>();
        for (String line : log()) {
            Matcher given = GIVEN_BACK.matcher(line);
            if (given.find()) {
                Stream.of(given.group(1).split(" ")).map(Long::valueOf).forEach(tasks::add);
            }
        }
        return tasks;
    }

    private List<String> log() throws IOException {
        Path log = dir.resolve("node.log");
        return Files.exists(log) ? Files.readAllLines(log) : List.of();
    }

    @Override
    public synchronized void close() throws IOException {
        if (process != null) {
            List<Long> guards = process.isAlive() ? Processes.guardsOf(process.pid()) : List.of();
            process.close();
            guards.forEach(Processes::kill);
        }
        for (TcpRelay relay : relays) {
            relay.close();
        }
    }
}
