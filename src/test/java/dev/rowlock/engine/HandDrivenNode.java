package dev.rowlock.engine;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Member;
import dev.rowlock.cluster.Sightings;
import dev.rowlock.exec.Uptime;
import dev.rowlock.store.Acquire;
import dev.rowlock.store.Asides;
import dev.rowlock.store.Database;
import dev.rowlock.store.DatabaseAddress;
import dev.rowlock.store.Definitions;
import dev.rowlock.store.Ending;
import dev.rowlock.store.Finish;
import dev.rowlock.store.Misfires;
import dev.rowlock.store.Quarantine;
import dev.rowlock.store.Release;
import dev.rowlock.store.Requests;
import dev.rowlock.store.Sessions;
import dev.rowlock.store.Start;
import dev.rowlock.support.ShiftedNanos;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node without threads: a test runs its steps one by one. A crash is a step not called. */
final class HandDrivenNode implements AutoCloseable {

    static final Duration FENCE = Duration.ofSeconds(20);
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final ShiftedNanos nanos = new ShiftedNanos();
    final FakeProcesses processes = new FakeProcesses(nanos);
    final Holdings holdings = new Holdings();
    final Membership membership;
    /** For how long the machine was suspended: time went by, and the monotonic clock stood still. */
    Duration suspended = Duration.ZERO;

    final DatabaseClock clock = new DatabaseClock(nanos, () -> Uptime.millis() + suspended.toMillis());
    final Lease lease;
    final Scheduler scheduler;
    final ResultRecorder recorder;
    final SessionKeeper keeper;
    final SessionReaper reaper;
    final Compensator compensator;
    final Reconsidering reconsidering;
    final Catalog catalog;
    final Departure departure;
    final Fence fence;
    final Sessions sessions;
    /** Its ways into the database. */
    final List<Database> databases;

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
        Settings settings = new Settings(
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
        membership = new Membership(settings);
        lease = new Lease(nanos, times.fence());
        Identity identity = new Identity(name, new Member.Host(name, bootId, 1, 1), "test", Map.of(), capacity);
        Database engine = opened(Database.single(address, Duration.ofSeconds(3)));
        Database heart = opened(Database.single(address, Duration.ofSeconds(3)));
        Database results = opened(Database.single(address, Duration.ofSeconds(3)));
        Database moreResults = opened(Database.single(address, Duration.ofSeconds(3)));
        databases = List.of(engine, results, moreResults, heart);
        ResultJournal journal = new ResultJournal(dir.resolve(name + ".journal"));
        processes.listener(new Results(holdings, lease, keeps, clock, journal, () -> {}));
        fence = new Fence(lease, processes, settings.fenceGrace(), keeps, nanos);
        closers.add(journal::close);
        closers.add(fence::close);
        Finish finish = new Finish(results, name, 3, Duration.ofSeconds(1));
        Postponed<Ending> unrecorded = Recording.postponed(nanos);
        Recording recording = new Recording(finish, unrecorded);
        sessions = new Sessions(engine, finish);
        catalog = new Catalog(new Definitions(engine), Catalog::parse, nanos);
        Quarantine quarantine = new Quarantine(engine);
        Firing firing = new Firing(
                settings,
                holdings,
                membership,
                clock,
                new Firing.Stores(new Start(engine, settings.misfireThreshold(), clock::latest), quarantine),
                catalog,
                new Commands(name, holdings, processes, fence),
                nanos);
        Acquiring acquiring = new Acquiring(
                settings,
                holdings,
                membership,
                clock,
                new Acquiring.Stores(new Acquire(engine), new Misfires(engine), quarantine),
                catalog,
                nanos);
        scheduler = new Scheduler(holdings, lease, membership, clock, nanos, firing, acquiring);
        Recording second = new Recording(new Finish(moreResults, name, 3, Duration.ofSeconds(1)), unrecorded);
        Lanes lanes = new Lanes(recording::record, second::record, Runnable::run, firing::isFiring, 500, nanos);
        recorder = new ResultRecorder(holdings, lease, lanes, journal, unrecorded, 500, recorded -> {});
        reaper = new SessionReaper(identity.host(), holdings, lease, nanos, sessions, () -> {});
        reconsidering = new Reconsidering(holdings, lease, new Asides(engine, finish), nanos, () -> {});
        Release release = new Release(engine);
        compensator = new Compensator(holdings, lease, release, Duration.ofSeconds(4), nanos, () -> {});
        departure = new Departure(holdings, lease, release, sessions, journal, recorded -> {});
        OutputKeeper outputs =
                new OutputKeeper(processes, java.util.Set.of(), new dev.rowlock.store.Outputs(engine), holdings);
        Joining joining = new Joining(new Joining.Parts(
                identity,
                settings,
                holdings,
                lease,
                membership,
                clock,
                nanos,
                sessions,
                recording,
                processes,
                fence,
                journal,
                new EarlierLives(dir.resolve(name + ".sessions")),
                new Predecessor(
                        identity.host(),
                        new Sightings(times.timeout(), times.fence().dividedBy(2))),
                recorded -> {}));
        keeper = new SessionKeeper(new SessionKeeper.Parts(
                settings.heartbeat(),
                keeps,
                holdings,
                lease,
                membership,
                clock,
                nanos,
                Clock.systemUTC(),
                new Sessions(heart, finish),
                new Sightings(times.timeout(), times.fence().dividedBy(2)),
                fence,
                joining,
                reaper,
                () -> {},
                new Errands(new Requests(heart), processes, outputs)));
    }

    /** Looks now, not when the second is over. */
    void schedule() {
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

    String session() {
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
