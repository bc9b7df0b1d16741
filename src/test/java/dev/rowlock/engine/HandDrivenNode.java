package dev.rowlock.engine;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.engine.result.Lanes;
import dev.rowlock.engine.result.OutputKeeper;
import dev.rowlock.engine.result.Recording;
import dev.rowlock.engine.result.ResultJournal;
import dev.rowlock.engine.result.ResultRecorder;
import dev.rowlock.engine.result.Results;
import dev.rowlock.engine.schedule.Acquiring;
import dev.rowlock.engine.schedule.Commands;
import dev.rowlock.engine.schedule.Compensator;
import dev.rowlock.engine.schedule.DefinitionCache;
import dev.rowlock.engine.schedule.Firing;
import dev.rowlock.engine.schedule.Reconsidering;
import dev.rowlock.engine.schedule.Scheduler;
import dev.rowlock.engine.session.Departure;
import dev.rowlock.engine.session.Fence;
import dev.rowlock.engine.session.Identity;
import dev.rowlock.engine.session.Joining;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.engine.session.PreviousSession;
import dev.rowlock.engine.session.PreviousSessions;
import dev.rowlock.engine.session.RemoteRequests;
import dev.rowlock.engine.session.SessionKeeper;
import dev.rowlock.engine.session.SessionReaper;
import dev.rowlock.exec.Uptime;
import dev.rowlock.store.history.Ending;
import dev.rowlock.store.job.Definitions;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.task.Acquire;
import dev.rowlock.store.task.Asides;
import dev.rowlock.store.task.Finish;
import dev.rowlock.store.task.Misfires;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Release;
import dev.rowlock.store.task.Requests;
import dev.rowlock.store.task.Start;
import dev.rowlock.support.ShiftedNanos;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node without threads: a test runs its steps one by one. A crash is a step not called. */
public final class HandDrivenNode implements AutoCloseable {

    static final Duration FENCE = Duration.ofSeconds(20);
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final ShiftedNanos nanos = new ShiftedNanos();
    public final FakeProcesses processes = new FakeProcesses(nanos);
    final LocalTasks localTasks = new LocalTasks();
    final KnownSessions knownSessions;
    /** For how long the machine was suspended: time went by, and the monotonic clock stood still. */
    Duration suspended = Duration.ZERO;

    final DatabaseClock clock = new DatabaseClock(nanos, () -> Uptime.millis() + suspended.toMillis());
    final Lease lease;
    final Scheduler scheduler;
    public final ResultRecorder recorder;
    public final SessionKeeper keeper;
    final SessionReaper reaper;
    public final Compensator compensator;
    final Reconsidering reconsidering;
    final DefinitionCache definitionCache;
    final Departure departure;
    final Fence fence;
    final Sessions sessions;
    /** Its ways into the database. */
    public final List<Database> databases;

    private final List<Runnable> closers = new ArrayList<>();

    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity) {
        this(name, address, dir, capacity, "boot-of-" + name);
    }

    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity, String bootId) {
        this(name, address, dir, capacity, bootId, false, Times.USUAL);
    }

    /** @param keeps {@code session.on-disconnect: KEEP} */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, int capacity, String bootId, boolean keeps) {
        this(name, address, dir, capacity, bootId, keeps, Times.USUAL);
    }

    /** One that differs from the others in how long it waits. */
    HandDrivenNode(String name, DatabaseAddress address, Path dir, Times times) {
        this(name, address, dir, 50, "boot-of-" + name, false, times);
    }

    /** What a session goes by. */
    record Times(Duration heartbeat, Duration fence, Duration timeout) {
        static final Times USUAL = new Times(Duration.ofSeconds(2), FENCE, TIMEOUT);
    }

    private HandDrivenNode(
            String name, DatabaseAddress address, Path dir, int capacity, String bootId, boolean keeps, Times times) {
        EngineSettings settings = new EngineSettings(
                name,
                capacity,
                times.heartbeat(),
                times.fence(),
                times.fence().dividedBy(4),
                times.timeout(),
                keeps,
                Duration.ofSeconds(30),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                10_000,
                500,
                Duration.ZERO,
                100);
        knownSessions = new KnownSessions(settings);
        lease = new Lease(nanos, times.fence());
        Identity identity = new Identity(name, new ClusterSession.Host(name, bootId, 1, 1), "test", Map.of(), capacity);
        Database engine = opened(Database.single(address, Duration.ofSeconds(3)));
        Database heart = opened(Database.single(address, Duration.ofSeconds(3)));
        Database results = opened(Database.single(address, Duration.ofSeconds(3)));
        Database moreResults = opened(Database.single(address, Duration.ofSeconds(3)));
        databases = List.of(engine, results, moreResults, heart);
        ResultJournal journal = new ResultJournal(dir.resolve(name + ".journal"));
        processes.listener(new Results(localTasks, lease, keeps, clock, journal, () -> {}));
        fence = new Fence(lease, processes, settings.fenceGrace(), keeps, nanos);
        closers.add(journal::close);
        closers.add(fence::close);
        Finish finish = new Finish(results, name, 3, Duration.ofSeconds(1));
        Postponed<Ending> unrecorded = Recording.postponed(nanos);
        Recording recording = new Recording(finish, unrecorded);
        sessions = new Sessions(engine, finish);
        definitionCache = new DefinitionCache(new Definitions(engine), DefinitionCache::parse, nanos);
        Quarantine quarantine = new Quarantine(engine);
        Firing firing = new Firing(
                settings,
                localTasks,
                knownSessions,
                clock,
                new Firing.Stores(new Start(engine, settings.misfireThreshold(), clock::latest), quarantine),
                definitionCache,
                new Commands(name, localTasks, processes, fence),
                nanos);
        Acquiring acquiring = new Acquiring(
                settings,
                localTasks,
                knownSessions,
                clock,
                new Acquiring.Stores(new Acquire(engine), new Misfires(engine), quarantine),
                definitionCache,
                nanos);
        scheduler = new Scheduler(localTasks, lease, knownSessions, clock, nanos, firing, acquiring);
        Recording second = new Recording(new Finish(moreResults, name, 3, Duration.ofSeconds(1)), unrecorded);
        Lanes lanes = new Lanes(recording::record, second::record, Runnable::run, firing::isFiring, 500, nanos);
        recorder = new ResultRecorder(localTasks, lease, lanes, journal, unrecorded, 500, recorded -> {});
        reaper = new SessionReaper(identity.host(), localTasks, lease, nanos, sessions, () -> {});
        reconsidering = new Reconsidering(localTasks, lease, new Asides(engine, finish), nanos, () -> {});
        Release release = new Release(engine);
        compensator = new Compensator(localTasks, lease, release, Duration.ofSeconds(4), nanos, () -> {});
        departure = new Departure(localTasks, lease, release, sessions, journal, recorded -> {});
        OutputKeeper outputs = new OutputKeeper(
                processes, java.util.Set.of(), new dev.rowlock.store.history.OutputStore(engine), localTasks);
        Joining joining = new Joining(new Joining.Parts(
                identity,
                settings,
                localTasks,
                lease,
                knownSessions,
                clock,
                nanos,
                sessions,
                recording,
                processes,
                fence,
                journal,
                new PreviousSessions(dir.resolve(name + ".sessions")),
                new PreviousSession(
                        identity.host(),
                        new FailureDetector(times.timeout(), times.fence().dividedBy(2))),
                recorded -> {}));
        keeper = new SessionKeeper(new SessionKeeper.Parts(
                settings.heartbeat(),
                keeps,
                localTasks,
                lease,
                knownSessions,
                clock,
                nanos,
                Clock.systemUTC(),
                new Sessions(heart, finish),
                new FailureDetector(times.timeout(), times.fence().dividedBy(2)),
                fence,
                joining,
                reaper,
                () -> {},
                new RemoteRequests(new Requests(heart), processes, outputs)));
    }

    /** Looks now, not when the second is over. */
    public void schedule() {
        scheduler.pollSoon();
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

    private Database opened(Database database) {
        closers.add(database::close);
        return database;
    }

    @Override
    public void close() {
        closers.forEach(Runnable::run);
    }
}
