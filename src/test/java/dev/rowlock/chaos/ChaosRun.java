package dev.rowlock.chaos;

import dev.rowlock.chaos.FaultKind.Lane;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.support.TcpRelay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** One run: nodes and jobs, faults and operators, then quiet, an orderly end, and the checks. */
final class ChaosRun implements AutoCloseable {

    private static final String MAIN = "dev.rowlock.Main";

    private final Options options;
    private final ChaosDatabase database;
    private final Findings findings = new Findings();
    private final List<Injected> injected = new CopyOnWriteArrayList<>();
    private final List<ChaosNode> nodes = new ArrayList<>();
    private final CountDownLatch faultsStop = new CountDownLatch(1);
    private final CountDownLatch watchStop = new CountDownLatch(1);
    private final HostFaults host;
    private final HungDirectory hung;
    private final Purging purging;
    private final Settling settling;
    private final Stalls stalls = new Stalls(watchStop);
    private final ReadWriteLock starting = new ReentrantReadWriteLock(true);
    private final MarkLog marks;
    private final List<Workload.Planned> jobs;
    private final Conditions conditions = new Conditions();

    ChaosRun(Options options, ChaosDatabase database) throws Exception {
        this.options = options;
        this.database = database;
        Files.createDirectories(options.dir());
        this.marks = new MarkLog(options.dir());
        this.host = HostFaults.in(options.dir());
        this.hung = options.faults().contains(FaultKind.HUNG_DIRECTORY)
                ? HungDirectory.in(options.dir())
                : HungDirectory.none();
        this.purging = new Purging(database);
        this.settling = new Settling(database, nodes, findings);
        this.jobs = new Workload(options.seed(), marks.dir(), options.policies()).jobs(options.jobs());
        for (int i = 0; i < options.nodes(); i++) {
            nodes.add(node(i));
        }
    }

    private ChaosNode node(int number) throws IOException {
        String name = "n" + number;
        List<TcpRelay> relays = new ArrayList<>();
        for (InetSocketAddress server : database.server().addressesOf(number)) {
            relays.add(TcpRelay.to(server));
        }
        Map<String, String> environment = new TreeMap<>(host.environment(number, name));
        if (number == ChaosNode.PATIENT && options.faults().contains(FaultKind.MIXED_SETTINGS)) {
            environment.putAll(ChaosNode.patience());
        }
        if (isPurging()) {
            environment.put("ROWLOCK_HISTORY_RETENTION", "1h");
        }
        environment.put(
                "ROWLOCK_DATABASE_URL",
                database.urlThrough(relays.stream().map(TcpRelay::port).toList()));
        environment.put("ROWLOCK_DATABASE_USER", database.nodeUser());
        environment.put("ROWLOCK_DATABASE_PASSWORD", database.nodePassword());
        return new ChaosNode(
                name, options.dir().resolve(name), environment, relays, starting, conditions.configured(name));
    }

    private boolean isPurging() {
        return options.faults().contains(FaultKind.RETENTION);
    }

    /** Does it all. */
    Report run() throws Exception {
        for (ChaosNode node : nodes) {
            node.start();
        }
        for (ChaosNode node : nodes) {
            node.last().awaitReady(Settling.LIMIT);
        }
        SessionWatch watch = new SessionWatch(database, watchStop, findings, conditions);
        Thread watching = thread("session-watch", watch);
        Operators operators = new Operators(jobs, nodes, options, conditions, faultsStop, findings);
        purging.prepare(isPurging());
        operators.begin();
        operators.createAll(jobs);
        operators.createAll(hung.jobs(marks.dir()));
        Thread unused = thread("stalls", stalls);
        if (database.server() instanceof GaleraServer galera) {
            for (int member : galera.members()) {
                unused = thread("commits-" + member, new CommitProbe(member, stalls, watchStop));
            }
        }
        long offset = databaseNow().toEpochMilli() - Uptime.millis();
        log("jobs created, faults begin at uptime " + Uptime.millis());
        disturb(operators, offset);
        log("faults are over at uptime " + Uptime.millis());
        settling.await(operators::restore);
        if (isPurging()) {
            boolean last =
                    settling.await(Kind.STUCK, "that history is purged of all that is too old", purging::isUpToDate);
            findings.note(purging.purged() + " rows of history were purged" + (last ? "" : ", too few"));
        }
        Instant judgedUntil = databaseNow();
        settling.stopNodes();
        watchStop.countDown();
        watching.join();
        findOrphans(watch);
        Ledger ledger = Ledger.read(database);
        verify();
        Evidence evidence = new Evidence(
                ledger,
                marks.read(),
                watch.gone(),
                List.copyOf(injected),
                operators.runs(),
                offset,
                judgedUntil,
                takenBack(),
                stalls,
                conditions,
                watch.seen(),
                operators.asked());
        return judge(evidence, operators);
    }

    private void disturb(Operators operators, long offset) throws Exception {
        NodeFaults nodeFaults = new NodeFaults(nodes, database, findings);
        NetworkFaults networkFaults = new NetworkFaults(nodes);
        DatabaseFaults databaseFaults = new DatabaseFaults(database, nodes);
        RequestFaults requestFaults = new RequestFaults(jobs, nodes, database, operators);
        DatabaseClock clock = new DatabaseClock(database, nodes, starting, operators, findings, offset);
        GroupFaults groupFaults = new GroupFaults(database, nodes, jobs, findings, stalls);
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        threads.add(lane(Lane.NODES, nodeFaults::of, start));
        threads.add(lane(Lane.NETWORK, networkFaults::of, start));
        threads.add(lane(Lane.DATABASE, databaseFaults::of, start));
        threads.add(lane(Lane.HOST, planned -> host.of(planned, nodes), start));
        threads.add(lane(Lane.ERRORS, planned -> new ServerErrors(database, planned), start));
        threads.add(lane(Lane.REQUESTS, requestFaults::of, start));
        threads.add(lane(Lane.SETTINGS, nodeFaults::of, start));
        threads.add(lane(Lane.DIRECTORY, planned -> hung.hang(), start));
        threads.add(lane(Lane.TIME, clock::of, start));
        if (database.server() instanceof ServerGroup group) {
            threads.add(lane(group.lane(), groupFaults::of, start));
        }
        threads.add(thread("operators", operators));
        long left = options.length().toNanos() - (System.nanoTime() - start);
        boolean unused = faultsStop.await(left, java.util.concurrent.TimeUnit.NANOSECONDS);
        faultsStop.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private Thread lane(Lane lane, FaultLane.Faults faults, long start) throws IOException {
        List<Plan.Planned> plan = Plan.of(lane, options.seed(), options.length(), options.nodes(), options.faults());
        Files.write(
                options.dir().resolve("plan.txt"),
                plan.stream().map(Plan.Planned::toString).toList(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        return thread("faults-" + lane, new FaultLane(plan, faults, start, faultsStop, this::note, findings));
    }

    private void note(Injected fault) {
        injected.add(fault);
        log(fault.fromMillis() + " to " + fault.untilMillis() + " " + fault.kind() + ": " + fault.what());
    }

    private Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, e) ->
                findings.add(Kind.NODE, "the harness itself failed in its thread " + name + ": " + Texts.trace(e)));
        thread.start();
        return thread;
    }

    private void findOrphans(SessionWatch watch) {
        for (Processes.Found process : Processes.with("CHAOS", marks.dir().toString())) {
            findings.add(
                    Kind.ORPHAN,
                    "process " + process.pid() + " of launch " + process.value("ROWLOCK_LAUNCH_ID")
                            + " is alive after all nodes were stopped: " + process.command());
            Processes.kill(process.pid());
        }
        findings.note(watch.seen().size() + " sessions were seen");
    }

    /** The product's own proof, of all that there ever was. */
    private void verify() throws SQLException {
        purging.putBack();
        Map<String, String> environment = new TreeMap<>(Map.of(
                "ROWLOCK_DATABASE_URL", database.directUrl(),
                "ROWLOCK_DATABASE_USER", database.nodeUser(),
                "ROWLOCK_DATABASE_PASSWORD", database.nodePassword(),
                "ROWLOCK_HISTORY_RETENTION", "0s"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try {
            findings.note("verify: "
                    + Programs.run(environment, java, "-cp", System.getProperty("java.class.path"), MAIN, "verify")
                            .strip());
        } catch (IOException e) {
            findings.add(Kind.UNVERIFIED, String.valueOf(e.getMessage()));
        }
    }

    private Set<Long> takenBack() throws IOException {
        Set<Long> tasks = new HashSet<>();
        for (ChaosNode node : nodes) {
            tasks.addAll(node.takenBack());
        }
        return tasks;
    }

    private Report judge(Evidence evidence, Operators operators) throws IOException {
        Conservation conservation = new Conservation(evidence, findings);
        conservation.check();
        new RunChecks(evidence, findings).check();
        new PolicyChecks(evidence, findings).check();
        new ExplainChecks(database, findings).check();
        operators.refusals().stream()
                .filter(r -> evidence.injected().stream()
                        .noneMatch(f -> f.touches(r.uptimeMillis() - 15_000, r.uptimeMillis())))
                .forEach(r -> findings.note("answered 503 though no fault was near: " + r));
        for (ChaosNode node : nodes) {
            for (String error : node.errors()) {
                findings.note("log of " + node.name() + ": " + error);
            }
        }
        List<String> punctuality = new Punctuality(evidence, findings).check();
        Report report = Report.of(
                options,
                evidence,
                findings,
                conservation.asked(),
                operators.requests(),
                operators.refusals().size(),
                punctuality);
        Files.writeString(options.dir().resolve("report.txt"), report.text());
        Files.write(options.dir().resolve("ledger.txt"), evidence.ledger().lines());
        return report;
    }

    private Instant databaseNow() throws SQLException {
        return Instant.ofEpochMilli(
                number("select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000"));
    }

    private long number(String sql) throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void log(String line) {
        System.out.println("chaos: " + line);
        try {
            Files.writeString(
                    options.dir().resolve("faults.log"),
                    line + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Path dir() {
        return options.dir();
    }

    @Override
    public void close() throws IOException {
        faultsStop.countDown();
        watchStop.countDown();
        for (ChaosNode node : nodes) {
            node.close();
        }
        Processes.with("CHAOS", marks.dir().toString()).forEach(p -> Processes.kill(p.pid()));
        hung.close();
        host.close();
    }
}
