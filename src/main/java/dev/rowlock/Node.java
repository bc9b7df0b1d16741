package dev.rowlock;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Database;
import dev.rowlock.engine.ClockWatch;
import dev.rowlock.engine.DatabaseWatch;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.Failures;
import dev.rowlock.engine.HistoryKeeper;
import dev.rowlock.engine.Launching;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Loop;
import dev.rowlock.engine.OnceJoined;
import dev.rowlock.engine.Outage;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.Step;
import dev.rowlock.engine.WriterWatch;
import dev.rowlock.engine.result.Lanes;
import dev.rowlock.engine.result.OutputKeeper;
import dev.rowlock.engine.result.Recording;
import dev.rowlock.engine.result.ResultJournal;
import dev.rowlock.engine.result.ResultRecorder;
import dev.rowlock.engine.result.Results;
import dev.rowlock.engine.result.ResultsFirst;
import dev.rowlock.engine.schedule.Acquiring;
import dev.rowlock.engine.schedule.Commands;
import dev.rowlock.engine.schedule.Compensator;
import dev.rowlock.engine.schedule.DefinitionCache;
import dev.rowlock.engine.schedule.Firing;
import dev.rowlock.engine.schedule.Reconsidering;
import dev.rowlock.engine.schedule.Scheduler;
import dev.rowlock.engine.schedule.TaskProblems;
import dev.rowlock.engine.session.Departure;
import dev.rowlock.engine.session.Fence;
import dev.rowlock.engine.session.Joining;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.engine.session.NodeNameTaken;
import dev.rowlock.engine.session.OlderNodes;
import dev.rowlock.engine.session.PreviousSession;
import dev.rowlock.engine.session.PreviousSessions;
import dev.rowlock.engine.session.Readiness;
import dev.rowlock.engine.session.RemoteRequests;
import dev.rowlock.engine.session.Schema;
import dev.rowlock.engine.session.SessionKeeper;
import dev.rowlock.engine.session.SessionReaper;
import dev.rowlock.exec.Output;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.history.OutputStore;
import dev.rowlock.store.history.Retention;
import dev.rowlock.store.job.Definitions;
import dev.rowlock.store.job.OldVersions;
import dev.rowlock.store.session.ClockNotes;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.task.Acquire;
import dev.rowlock.store.task.Asides;
import dev.rowlock.store.task.Finish;
import dev.rowlock.store.task.Misfires;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Release;
import dev.rowlock.store.task.Requests;
import dev.rowlock.store.task.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** One node: its loops, what they share, and how they start and stop. */
public final class Node implements AutoCloseable {

    /** Results are recorded as they come; what takes longer is part of leaving. */
    private static final Duration RECORDED_WITHIN = Duration.ofSeconds(2);

    private final NodePlan plan;
    private final LongSupplier nanos = System::nanoTime;
    private final Outage outage;
    private final Failures failures = new Failures(nanos);
    private final LocalTasks localTasks = new LocalTasks();
    private final KnownSessions knownSessions;
    private final Lease lease;
    private final DatabaseClock clock;
    private final Connections connections;
    private final ResultJournal journal;
    private final Processes launcher;
    private final PreviousSessions earlier;
    private final Fence fence;
    private final NodeHealth health;
    private final Sessions sessions;
    private final Departure departure;
    private final OutputKeeper outputs;
    private final Schema schema;
    private final List<Loop> loops = new ArrayList<>();
    private final Runnable acquireSoon;
    private final ClockWatch clockWatch;

    public Node(NodePlan plan) {
        this(plan, Launching.processes(plan.dataDir(), plan.outputLimits()));
    }

    /** A node whose commands are run by something else, for measuring all that is not the running of commands. */
    public Node(NodePlan plan, Launching launching) {
        this.plan = plan;
        this.clock = plan.clock();
        EngineSettings settings = plan.settings();
        this.knownSessions = new KnownSessions(settings);
        this.outage = new Outage(nanos, plan.servers().areSeveral() ? settings.quietFailover() : Duration.ZERO);
        this.connections = Connections.to(plan.servers(), settings);
        Database engine = connections.engine();
        this.lease = new Lease(nanos, settings.fence());
        this.journal = new ResultJournal(plan.dataDir().resolve("results.journal"));
        Runnable[] arrived = new Runnable[1];
        Results results =
                new Results(localTasks, lease, settings.keepsCommands(), clock, journal, () -> arrived[0].run());
        AtomicReference<Fence> guard = new AtomicReference<>();
        this.launcher = launching.begin(() -> guard.get() != null && guard.get().stands(), results);
        this.earlier = new PreviousSessions(plan.dataDir().resolve("sessions"));
        this.fence = new Fence(lease, launcher, settings.fenceGrace(), settings.keepsCommands(), nanos);
        guard.set(fence);
        Readiness readiness = new Readiness(outage, knownSessions, lease, localTasks, fence, launcher);
        Finish finish = finish(connections.results());
        Postponed<Ending> unrecorded = Recording.postponed(nanos);
        Recording recording = new Recording(finish, unrecorded);
        this.sessions = new Sessions(engine, finish);
        Release release = new Release(engine);
        DefinitionCache definitionCache = new DefinitionCache(new Definitions(engine), DefinitionCache::parse, nanos);
        Quarantine quarantine = new Quarantine(engine);
        Firing firing = new Firing(
                settings,
                localTasks,
                knownSessions,
                clock,
                new Firing.Stores(new Start(engine, settings.misfireThreshold(), clock::latest), quarantine),
                definitionCache,
                new Commands(settings.node(), localTasks, launcher, fence),
                nanos);
        Acquiring acquiring = new Acquiring(
                settings,
                localTasks,
                knownSessions,
                clock,
                new Acquiring.Stores(new Acquire(engine), new Misfires(engine), quarantine),
                definitionCache,
                nanos);
        Scheduler scheduler = new Scheduler(localTasks, lease, knownSessions, clock, nanos, firing, acquiring);
        ResultsFirst resultsFirst = new ResultsFirst(nanos, engine, localTasks.turn, scheduler);
        Loop schedulerLoop = loop("scheduler", resultsFirst);
        this.acquireSoon = () -> {
            scheduler.pollSoon();
            schedulerLoop.wake();
        };
        this.outputs = new OutputKeeper(launcher, launcher.outputs(), new OutputStore(plan.pool()), localTasks);
        this.departure = new Departure(localTasks, lease, release, sessions, journal, outputs::ended);
        Loop outputLoop = loop("output", outputs);
        Recording second = new Recording(finish(connections.moreResults()), unrecorded);
        Executor beside = Loop.beside("more-results");
        Lanes lanes = new Lanes(recording::record, second::record, beside, firing::isFiring, settings.batch(), nanos);
        ResultRecorder recorder =
                new ResultRecorder(localTasks, lease, lanes, journal, unrecorded, settings.batch(), recorded -> {
                    outputs.ended(recorded);
                    outputLoop.wake();
                    if (scheduler.slotsFreed()) {
                        schedulerLoop.wake();
                    }
                });
        resultsFirst.of(recorder);
        Loop recorderLoop = new Loop("results", recorder, outage, failures, ResultRecorder.CALM);
        loops.add(recorderLoop);
        arrived[0] = () -> {
            recorderLoop.wake();
            if (scheduler.hasRoom()) {
                schedulerLoop.wake();
            }
        };
        SessionReaper reaper =
                new SessionReaper(plan.identity().host(), localTasks, lease, nanos, sessions, acquireSoon);
        Loop reaperLoop = loop("reaper", reaper);
        loop("sessions", keeper(finish, recording, reaper, reaperLoop::wake));
        loop("fence", fence);
        loop(
                "compensation",
                new Compensator(localTasks, lease, release, settings.heartbeat().multipliedBy(2), nanos, acquireSoon));
        Reconsidering reconsidering =
                new Reconsidering(localTasks, lease, new Asides(engine, finish), nanos, acquireSoon);
        TaskProblems taskProblems = new TaskProblems(definitionCache.notUnderstood(), reconsidering);
        loop("set-aside", reconsidering);
        loop("older-nodes", new OlderNodes(lease, knownSessions, plan.identity().version(), plan.pool()));
        loop("joined", new OnceJoined(lease, () -> {
            plan.joined().run();
            DatabaseWatch.warnOfSlowFailover(plan.pool(), settings);
        }));
        WriterWatch writerWatch = new WriterWatch(lease, plan.servers());
        if (plan.servers().areSeveral()) {
            loop("writers", writerWatch);
            loop("database", new DatabaseWatch(plan.servers(), Loop.beside("silent-servers")));
            plan.servers().onMove(() -> loops.forEach(Loop::wake));
        }
        loop("history", historyKeeper());
        this.clockWatch = new ClockWatch(clock, nanos, new ClockNotes(plan.pool()));
        this.schema = new Schema(plan.servers(), () -> {
            clockWatch.recall();
            plan.migrated().run();
        });
        loop("clock", clockWatch);
        this.health = new NodeHealth(readiness, schema, clock, launcher, knownSessions, taskProblems, writerWatch);
    }

    /** Ends what an earlier life of this node left running, and starts the loops. The database may come later. */
    public void start() {
        earlier.sweep();
        loops.forEach(Loop::start);
    }

    /** There may be something to acquire: a job was created, changed or asked to run. */
    public void wake() {
        acquireSoon.run();
    }

    /** Ends a command of this node. False if it is not running here. */
    public boolean kill(LaunchId launch) {
        return launcher.kill(launch, StopCause.REQUEST);
    }

    /** The output so far of a command that runs on this node. */
    public Optional<Output> output(LaunchId launch) {
        return localTasks.isExecuting(launch) ? Optional.of(launcher.output(launch)) : Optional.empty();
    }

    /** How it fares. */
    public NodeHealth health() {
        return health;
    }

    /** How many shards a session prefers. */
    public int shardsOf(String session) {
        return knownSessions.shardsOf(session).size();
    }

    /**
     * Stops in order: gives prepared tasks back at once, waits for running commands, ends what is left after {@code grace} (TERM, and KILL after
     * the job's own grace, but after {@code grace} again at the latest), records all of it, and leaves the cluster.
     */
    public void stop(Duration grace) {
        knownSessions.drain();
        departure.giveBackPrepared();
        departure.endCommands(launcher, grace);
        if (lease.current().isPresent()) {
            localTasks.awaitRecorded(RECORDED_WITHIN);
            departure.leave();
        }
    }

    @Override
    public void close() {
        loops.forEach(Loop::close);
        outputs.storeLast();
        launcher.close();
        fence.close();
        journal.close();
        connections.close();
    }

    private Finish finish(Database database) {
        return new Finish(database, plan.settings().node(), plan.maxLost(), plan.recoveryBackoff());
    }

    private Step keeper(Finish finish, Recording recording, SessionReaper reaper, Runnable wakeReaper) {
        EngineSettings settings = plan.settings();
        Duration widestGap = settings.fence().dividedBy(2);
        Joining joining = new Joining(new Joining.Parts(
                plan.identity(),
                settings,
                localTasks,
                lease,
                knownSessions,
                clock,
                nanos,
                sessions,
                recording,
                launcher,
                fence,
                journal,
                earlier,
                new PreviousSession(plan.identity().host(), new FailureDetector(settings.timeout(), widestGap)),
                outputs::joined));
        RemoteRequests remoteRequests = new RemoteRequests(new Requests(connections.heart()), launcher, outputs);
        SessionKeeper keeper = new SessionKeeper(new SessionKeeper.Parts(
                settings.heartbeat(),
                settings.keepsCommands(),
                localTasks,
                lease,
                knownSessions,
                clock,
                nanos,
                plan.hostClock(),
                new Sessions(connections.heart(), finish),
                new FailureDetector(settings.timeout(), widestGap),
                fence,
                joining,
                reaper,
                wakeReaper,
                remoteRequests));
        return () -> {
            try {
                schema.bringUpToDate();
                return keeper.runOnce();
            } catch (NodeNameTaken e) {
                plan.refused().accept(e);
                return Pass.rest(settings.heartbeat());
            }
        };
    }

    private Step historyKeeper() {
        return new HistoryKeeper(
                lease,
                clock,
                nanos,
                new Retention(plan.pool()),
                new Requests(plan.pool()),
                new OldVersions(plan.pool()),
                plan.settings().retention(),
                plan.settings().keptVersions());
    }

    private Loop loop(String name, Step step) {
        Loop loop = new Loop(name, step, outage, failures);
        loops.add(loop);
        return loop;
    }
}
