package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.db.Locks;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.PreparedTasks;
import dev.rowlock.engine.schedule.Selecting.ForDue;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.job.NotRunReason;
import dev.rowlock.policy.Placement;
import dev.rowlock.store.task.Acquire;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.store.task.DuePosition;
import dev.rowlock.store.task.JobAtVersion;
import dev.rowlock.store.task.LeftOut;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds idle tasks whose time comes and prepares them; settles those whose time is long past. */
final class Acquiring {

    private static final Logger log = LoggerFactory.getLogger(Acquiring.class);
    /** How long what has no room here is left to nodes that have. */
    private static final Duration OTHERS_FIRST = Duration.ofSeconds(2);

    private final NodeContext node;
    private final EngineSettings settings;
    private final KnownSessions knownSessions;
    private final Acquire acquire;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final Settling settling;
    private final TakeOver takeOver;
    private final Postponed<Acquisition> postponed;
    private final Priorities priorities;
    private final Deadlines deadlines;

    private final Selecting selecting;
    private final Walk walk = new Walk();
    private final Floor floor = new Floor();
    private boolean behind;
    /** Something was missed and is settled, and there is more of it. */
    private boolean unsettled;

    /** @param takeOver told of what others have prepared and not fired yet, as each scan finds that too */
    Acquiring(
            NodeContext node,
            KnownSessions knownSessions,
            Acquire acquire,
            Quarantine quarantine,
            DefinitionCache definitionCache,
            Settling settling,
            TakeOver takeOver) {
        this.node = node;
        this.settings = node.settings();
        this.knownSessions = knownSessions;
        this.acquire = acquire;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.settling = settling;
        this.takeOver = takeOver;
        this.priorities = new Priorities(node, acquire);
        this.selecting = new Selecting(node, knownSessions, definitionCache, priorities);
        this.deadlines = new Deadlines(node, acquire, definitionCache);
        this.postponed = new Postponed<>(
                node.nanos(), a -> a.task().id(), a -> "task " + a.task().id() + " cannot be prepared");
    }

    /**
     * One pass.
     *
     * @param heldUp how many tasks are prepared and due and cannot be started: they take no slot
     * @return true: there is more to acquire
     */
    boolean acquire(PreparedTasks prepared, Trust trust, int heldUp) {
        Instant now = node.clock().now();
        int slots = node.slots().free();
        int room = settings.preparedLimit() - prepared.size();
        takeOver.notScanned();
        if (room > 0 && (slots <= 0 || node.slots().areLacked())) {
            prepareOverdue(prepared, trust, now, room);
            room = settings.preparedLimit() - prepared.size();
        }
        if (slots <= 0 && room > 0 && knownSessions.isAlone()) {
            acquirePrioritized(prepared, trust, now, room);
            room = settings.preparedLimit() - prepared.size();
        }
        if ((slots <= 0 && !unsettled) || room <= 0) {
            node.slots().lack(slots <= 0);
            return false;
        }
        return !knownSessions.selectors().placement().isIdle() && acquire(prepared, trust, now, slots, heldUp, room);
    }

    private boolean acquire(PreparedTasks prepared, Trust trust, Instant now, int slots, int heldUp, int room) {
        Set<Integer> own = Set.copyOf(knownSessions.stripesOf(trust.sessionId()));
        boolean aside = walk.looksAside();
        boolean atStart = walk.isAtStart();
        Acquire.Found found = scan(trust, own, now);
        List<Task> all = placed(found.candidates(), now);
        List<Task> candidates = aside ? settling.withNothingOlder(all, now) : all;
        if (candidates.isEmpty()) {
            node.slots().lack(false);
            unsettled = aside;
            return walk.scannedUpTo(found.end(), true);
        }
        Set<Long> left = definitionCache.load(candidates.stream()
                .map(c -> new JobAtVersion(c.jobId(), c.version()))
                .toList());
        Set<Long> misfired = settling.misfired(candidates, now);
        boolean settled = settling.settle(trust, misfired, now);
        boolean goOn = scannedUpTo(found, candidates, left);
        boolean hidden = !aside && atStart && walk.isAtStart() && found.end() != null && !misfired.isEmpty();
        unsettled = aside || (settled && hidden);
        if (hidden && slots > 0) { // what is due in time, and what makes up for others, does not wait
            walk.lookAside(DuePosition.at(now.minus(settings.misfireThreshold())));
        }
        ForDue forDue =
                new ForDue(slots - Math.max(0, prepared.countDue(now) - heldUp), prepared.lowestPriorityDue(now));
        Room roomLeft = aside ? new Room(room, now, settings) : Room.after(found, room, settings);
        List<Acquisition> wanted =
                selecting.plan(trust, candidates, misfired, own, now, forDue, roomLeft, ready(candidates));
        // Slots that became free since they were counted have woken nobody, as nothing was known to lack them.
        boolean freed = node.slots().areLacked() && node.slots().free() > slots;
        int before = prepared.size();
        boolean retries = postponed.size() > 0;
        prepare(prepared, trust, wanted, now);
        boolean more = found.end() != null || !left.isEmpty() || retries;
        boolean untried = !wanted.isEmpty() && postponed.hasUntried();
        return settled || freed || goOn || untried || (more && prepared.size() > before);
    }

    private LeftOut leftOut() {
        return new LeftOut(definitionCache.notUnderstood().leftOut(), settling.leftOut(), postponed.leftOut());
    }

    /** Prepares what may not start any more, as it needs no slot: it is missed when it is fired or settled. */
    private void prepareOverdue(PreparedTasks prepared, Trust trust, Instant now, int room) {
        List<Task> over =
                placed(deadlines.over(leftOut(), knownSessions.selectors().placement()), now);
        if (!over.isEmpty()) {
            Set<Long> misfired = settling.misfired(over, now);
            settling.settle(trust, misfired, now);
            Room none = new Room(room, Instant.EPOCH, settings); // for what comes after them
            prepare(
                    prepared,
                    trust,
                    selecting.plan(trust, over, misfired, Set.of(), now, new ForDue(room, 0), none, ready(over)),
                    now);
        }
    }

    /** What waits here for a slot, with nobody else to take it, must not keep what has priority from being found. */
    private void acquirePrioritized(PreparedTasks prepared, Trust trust, Instant now, int room) {
        List<Task> candidates = placed(
                priorities.waiting(
                        prepared.lowestPriorityDue(now),
                        leftOut(),
                        knownSessions.selectors().placement()),
                now);
        definitionCache.load(candidates.stream()
                .map(c -> new JobAtVersion(c.jobId(), c.version()))
                .toList());
        Set<Long> misfired = settling.misfired(candidates, now);
        prepare(
                prepared,
                trust,
                selecting.plan(
                        trust,
                        candidates,
                        misfired,
                        Set.of(),
                        now,
                        new ForDue(room, 0),
                        new Room(room, now, settings),
                        ready(candidates)),
                now);
    }

    /** Whether the last scan has found something that was due. */
    boolean isBehind() {
        return behind;
    }

    private void prepare(PreparedTasks prepared, Trust trust, List<Acquisition> wanted, Instant now) {
        postponed.run(
                wanted,
                part -> {
                    Acquire.Prepared done = acquire.acquire(trust.sessionId(), part, now);
                    prepared.add(done.tasks());
                    node.counts().notRun(NotRunReason.OVERLAP, done.skipped());
                },
                (alone, problem) -> setAside(alone.task(), problem));
    }

    /** Those of them that may be prepared here. */
    private List<Task> placed(List<Task> candidates, Instant now) {
        Placement placement = knownSessions
                .selectors()
                .learn(candidates.stream().map(Task::selector).collect(Collectors.toSet()));
        Set<Long> full = knownSessions.isAlone() ? Set.of() : node.localTasks().fullJobs();
        return candidates.stream()
                .filter(task -> !full.contains(task.jobId()) || task.due().isBefore(now.minus(OTHERS_FIRST)))
                .filter(task -> placement.isMine(task.selector())
                        || (placement.isNobodys(task.selector()) && !task.due().isAfter(now)))
                .toList();
    }

    private boolean scannedUpTo(Acquire.Found found, List<Task> candidates, Set<Long> left) {
        LongPredicate isReady = ready(candidates);
        LongPredicate settles =
                settling.ready(candidates.stream().map(Task::jobId).collect(Collectors.toSet()));
        long usable = candidates.stream()
                .filter(c -> left.contains(c.jobId())
                        || definitionCache.find(c.jobId(), c.version()).isPresent())
                .filter(c -> isReady.test(c.id()) && settles.test(c.jobId()))
                .count();
        return walk.scannedUpTo(found.end(), 2 * usable < found.candidates().size());
    }

    private LongPredicate ready(List<Task> candidates) {
        return postponed.ready(candidates.stream().map(Task::id).collect(Collectors.toSet())::contains);
    }

    private boolean setAside(Task task, DataProblem problem) {
        log.error("task {} is set aside: it cannot be prepared", task.id(), problem);
        quarantine.idle(List.of(task.ref()), "cannot be prepared: " + problem.getMessage());
        return true;
    }

    private Acquire.Found scan(Trust trust, Set<Integer> own, Instant now) {
        boolean full = walk.isAtStart() && floor.isToBeLookedFor(now);
        boolean all = own.size() == Locks.STRIPES; // as on a node that is alone: no stripe needs to be asked for
        Set<Long> leftOut = postponed.leftOut();
        Set<Long> jobs = settling.leftOut();
        Instant since = full ? Instant.EPOCH : floor.dueAt();
        boolean atStart = walk.isAtStart();
        Acquire.Scan scan = new Acquire.Scan(
                since,
                walk.from(since),
                all ? settings.horizon() : settings.spill(),
                settings.horizon(),
                all ? Set.of() : own,
                settings.batch(),
                new LeftOut(definitionCache.notUnderstood().leftOut(), jobs, leftOut),
                knownSessions.selectors().placement());
        Acquire.Found found =
                priorities.search(scan, acquire.scan(scan, knownSessions.isAlone() ? null : trust.sessionId()));
        List<Task> candidates = found.candidates();
        behind = walk.looksAside() || candidates.stream().anyMatch(c -> !c.due().isAfter(now));
        Instant ahead = node.clock().latest().plus(settings.horizon());
        if (candidates.stream().anyMatch(c -> c.due().isAfter(ahead))) {
            takeOver.scanned(found.othersDue(), floor.dueAt(), now);
            return new Acquire.Found(
                    List.of(), null, found.othersDue()); // the database's clock has leapt ahead since it was read
        }
        if (full) {
            scannedFully(found, now);
        }
        takeOver.scanned(found.othersDue(), floor.dueAt(), now);
        if (atStart && found.end() == null) {
            postponed.found(leftOut, candidates.stream().map(Task::id).collect(Collectors.toSet()));
            settling.found(jobs, candidates.stream().map(Task::jobId).collect(Collectors.toSet()));
        }
        return found;
    }

    /** Rows of any age were looked for, as of {@code now}: nothing that waits is older than what was found. */
    private void scannedFully(Acquire.Found found, Instant now) {
        Stream<Instant> due = Stream.of(
                        found.candidates().stream().map(Task::due),
                        postponed.items().stream().map(a -> a.task().due()),
                        settling.postponed(),
                        Stream.ofNullable(found.othersDue()))
                .flatMap(each -> each);
        floor.lookedFor(now, node.clock().now(), due);
    }
}
