package dev.rowlock;

import dev.rowlock.access.AdminToken;
import dev.rowlock.access.Admission;
import dev.rowlock.access.TokenStore;
import dev.rowlock.alert.send.AlertAgent.AlertSettings;
import dev.rowlock.alert.send.Sender;
import dev.rowlock.api.HttpServer;
import dev.rowlock.calendar.CalendarStore;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.config.Config;
import dev.rowlock.config.Config.SchedulerConfig;
import dev.rowlock.config.Config.SessionConfig;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import dev.rowlock.definition.Names;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.RunAs;
import dev.rowlock.exec.SpawnMethod;
import dev.rowlock.exec.Supervisor;
import dev.rowlock.exec.output.OutputLimits;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.http.RequestMemory;
import dev.rowlock.job.EndOfPauses;
import dev.rowlock.job.Jobs;
import dev.rowlock.job.ZoneRules;
import dev.rowlock.job.calendar.FollowingJobs;
import dev.rowlock.job.store.EndingPauses;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.store.ZonedCursors;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.Loop;
import dev.rowlock.node.OnceJoined;
import dev.rowlock.node.Pass;
import dev.rowlock.node.session.Identity;
import dev.rowlock.report.ReadinessChecks.Check;
import dev.rowlock.schedule.TimeZoneData;
import dev.rowlock.secret.NodeSecrets;
import dev.rowlock.task.history.OutputQueries;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.request.TaskOutputs;
import dev.rowlock.task.rerun.RequestStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon: one node with all that belongs to it, made from settings, run until a signal asks for the end, stopped in
 * order.
 */
final class Daemon {

    private static final Logger log = LoggerFactory.getLogger(Daemon.class);

    /** Time to record the last results, and to end the embedded database. */
    private static final Duration LEAVES_WITHIN = Duration.ofSeconds(75);

    private final Config config;
    private final String version;
    private final Supervisor supervisor;
    private final Function<NodePlan, Node> nodes;
    private final HttpServer.HttpSettings listening;
    private final DatabaseClock clock = new DatabaseClock(System::nanoTime, Uptime::millis);
    private final RequestMemory heap = RequestMemory.ofThisProcess();
    private final StopSignals signals = StopSignals.install();
    private final AtomicReference<@Nullable String> refusal = new AtomicReference<>();
    private NodeSecrets secrets = NodeSecrets.NONE;

    /**
     * @param nodes makes the node; a measurement makes one whose commands are no processes
     * @throws CommandFailed a file that the settings name cannot be used
     */
    Daemon(Config config, String version, Supervisor supervisor, Function<NodePlan, Node> nodes) {
        this.config = config;
        this.version = version;
        this.supervisor = supervisor;
        this.nodes = nodes;
        this.listening = Listening.settings(config.http());
    }

    /** Runs until a signal asks for the end; throws {@link CommandFailed} if it cannot start. */
    void run() throws IOException {
        LogEncoder.writeJson(config.logFormat() == Config.LogFormat.JSON);
        config.warnings().forEach(log::warn);
        supervisor.problem(endsCommandsWithin()).ifPresent(log::warn);
        spawnMethod().problem().ifPresent(why -> {
            throw new CommandFailed(
                    ExitCode.CONFIGURATION,
                    "exec.spawn (ROWLOCK_EXEC_SPAWN): " + config.spawn() + " does not work on this host: " + why);
        });
        secrets = NodeKeys.secrets(config);
        Path home = config.dataDir().resolve("nodes").resolve(config.node().name());
        try (DirectoryLock lock = DirectoryLock.take(home)) {
            log.debug("{} is ours", lock.directory());
            LeftDirectories.takeOver(home);
            if (!config.embedded()) {
                run(home, LocalCommands.configured(config.database()), null);
                return;
            }
            try (EmbeddedDatabase embedded =
                    EmbeddedDatabase.start(config.dataDir().resolve("mariadb"))) {
                run(
                        home,
                        new DatabaseAddress(embedded.url(), embedded.user(), embedded.password()),
                        new EmbeddedWatch(embedded));
            }
        }
    }

    private void run(Path home, DatabaseAddress address, @Nullable EmbeddedWatch embedded) {
        Servers servers = new Servers(address);
        try (Database pool = Database.pooled(servers, config.database().poolSize(), Duration.ofSeconds(5))) {
            Loop.beside("ahead").execute(() -> reachAhead(pool));
            AdminToken token = new AdminToken(new TokenStore(pool), config.dataDir(), config.adminToken());
            run(home, servers, pool, token, embedded);
        }
        @Nullable String refused = refusal.get();
        if (refused != null) {
            throw new CommandFailed(ExitCode.CONFIGURATION, refused);
        }
        log.info("stopped");
    }

    /**
     * Loads the driver and makes the first connection while this thread creates the node and its HTTP server. Nothing
     * depends on it: whoever needs the database next reports what is wrong with it.
     */
    private static void reachAhead(Database pool) {
        try {
            pool.reach();
        } catch (RuntimeException e) {
            log.debug("the database cannot be reached ahead of its use: {}", e.toString());
        }
    }

    private void run(Path home, Servers servers, Database pool, AdminToken token, @Nullable EmbeddedWatch embedded) {
        Admission admission = new Admission(new TokenStore(pool), System::nanoTime);
        AlertSettings alerts = AlertParts.settings(config.alerts(), home);
        try (Sender sender = alerts.sender();
                Node node = nodes.apply(plan(home, servers, pool, token, alerts));
                TaskOutputs outputs = outputs(pool, node);
                NodeTelemetry telemetry = new NodeTelemetry(config, version, node, pool);
                HttpServer http = new HttpServer(
                        listening,
                        services(pool, node)
                                .all(
                                        outputs,
                                        token,
                                        admission,
                                        AlertParts.forPeople(pool, sender, secrets.keys(), clock),
                                        heap,
                                        telemetry.telemetry()))) {
            if (embedded != null) {
                node.add("embedded", embedded);
                node.health().add(() -> new Check("embedded-database", true, embedded.state()));
            }
            node.add("token-uses", () -> Pass.rest(admission.writeUses()));
            Listening.start(http, config.http());
            Listening.note(home, http, config.http());
            node.start();
            signals.await();
            supervisor.stopping(endsCommandsWithin().plus(LEAVES_WITHIN));
            node.stop(config.shutdownGrace());
            Listening.forget(home);
        }
    }

    /** Returns the time to end commands: running ones get the grace once until TERM, and once more until KILL. */
    private Duration endsCommandsWithin() {
        return config.shutdownGrace().multipliedBy(2).plusSeconds(15);
    }

    private NodePlan plan(Path home, Servers servers, Database pool, AdminToken token, AlertSettings alerts) {
        ZoneRules zoneRules = new ZoneRules(
                new ZonedCursors(pool, clock),
                new Jobs(new JobStore(pool, clock), new JobQueries(pool), () -> {}),
                TimeZoneData.version());
        return new NodePlan(
                engineSettings(),
                identity(),
                servers,
                pool,
                home,
                new OutputLimits(
                        config.output().maxBytes(), (int) config.output().headBytes(), (int)
                                config.output().tailBytes()),
                spawnMethod(),
                config.recovery().maxLost(),
                config.recovery().backoff(),
                clock,
                Clock.systemUTC(),
                alerts,
                () -> ensure(token),
                new EndOfPauses(new EndingPauses(pool), new ManyJobs(pool, clock))::resume,
                upToDate(zoneRules, new FollowingJobs(new CalendarStore(pool), new ManyJobs(pool, clock))),
                taken -> {
                    refusal.set(taken.getMessage());
                    signals.ask();
                },
                NodeTelemetry.traces(config, version),
                secrets);
    }

    /** Returns what brings jobs up to the rules of time zones, and to calendars whose change was interrupted. */
    private static OnceJoined.Work upToDate(ZoneRules rules, FollowingJobs calendars) {
        return new OnceJoined.Work() {
            @Override
            public boolean step() {
                return rules.bringUpToDate() || calendars.complete();
            }

            @Override
            public boolean again() {
                return rules.isToBeRepeated() || calendars.areBehind();
            }
        };
    }

    private SpawnMethod spawnMethod() {
        return switch (config.spawn()) {
            case AUTO -> SpawnMethod.AUTO;
            case POSIX_SPAWN -> SpawnMethod.POSIX_SPAWN;
            case PROCESS_BUILDER -> SpawnMethod.PROCESS_BUILDER;
        };
    }

    private EngineSettings engineSettings() {
        SessionConfig session = config.session();
        SchedulerConfig scheduler = config.scheduler();
        return new EngineSettings(
                config.node().name(),
                config.node().capacity(),
                session.heartbeat(),
                session.fence(),
                session.fenceGrace(),
                session.timeout(),
                scheduler.horizon(),
                scheduler.takeover(),
                config.misfireThreshold(),
                scheduler.preparedLimit(),
                scheduler.batch(),
                config.historyRetention(),
                config.historyVersions(),
                config.historyAudit(),
                config.shared());
    }

    private Identity identity() {
        HostIdentity host = HostIdentity.current();
        return new Identity(
                config.node().name(),
                new ClusterSession.Host(host.hostName(), host.bootId(), host.pid(), host.startTime()),
                version,
                labels(host.hostName()),
                config.node().capacity(),
                RunAs.problem().isEmpty(),
                secrets.keys().ids());
    }

    /** Returns the labels of the settings, and the two that every node has. */
    private Map<String, String> labels(String host) {
        Map<String, String> labels = new TreeMap<>(config.node().labels());
        labels.put(Names.NODE_LABEL, label(config.node().name()));
        labels.put(Names.HOST_LABEL, label(host));
        return labels;
    }

    private static String label(String name) {
        return name.substring(0, Math.min(Names.LONGEST_LABEL, name.length()));
    }

    private static void ensure(AdminToken token) {
        try {
            token.ensure();
        } catch (IOException e) {
            throw new UncheckedIOException("the admin token cannot be kept in data.dir", e);
        }
    }

    private Services services(Database pool, Node node) {
        return new Services(
                pool,
                node,
                clock,
                config.node().name(),
                config.scheduleZone(),
                SigningIn.services(config.signIn(), pool));
    }

    private TaskOutputs outputs(Database pool, Node node) {
        return new TaskOutputs(
                new TaskQueries(pool),
                new OutputQueries(pool),
                new RequestStore(pool),
                node,
                heap,
                config.output().headBytes() + config.output().tailBytes(),
                System::nanoTime);
    }
}
