package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.db.Locks;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.task.Acquire;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.store.task.Candidate;
import dev.rowlock.store.task.DuePosition;
import dev.rowlock.store.task.LeftOut;
import dev.rowlock.store.task.Misfires;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Quarantine.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds idle tasks whose time comes and prepares them; settles those whose time is long past. Needs the turn. */
public final class Acquiring {

    private static final Logger log = LoggerFactory.getLogger(Acquiring.class);
    /** How often rows of any age are looked for; in between the scan starts where the oldest waiting row was. */
    private static final Duration FULL_SCAN = Duration.ofSeconds(30);
    /** Where much is not purged a look for rows of any age takes long; it may take so small a share of the time. */
    private static final int FULL_SCAN_SHARE = 100;
    /** Whatever becomes due again is written with the time of that moment; the scan reaches back this far for clocks and slow commits. */
    private static final Duration REACH_BACK = Duration.ofSeconds(90);

    /** By so much our estimate of the database's clock may be ahead of it. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMillis(20);

    private final EngineSettings settings;
    private final LocalTasks localTasks;
    private final KnownSessions knownSessions;
    private final DatabaseClock clock;
    private final Acquire acquire;
    private final DefinitionCache definitionCache;
    private final Quarantine quarantine;
    /** Tasks that could not be prepared. */
    private final Postponed<Acquisition> postponed;

    private final Settling settling;
    private final Walk walk = new Walk();

    private Instant floor = Instant.EPOCH;
    private Instant fullyScanned = Instant.EPOCH;
    private Duration fullScanAfter = FULL_SCAN;
    private volatile boolean lacksSlots;
    private boolean mayTakeOver;
    private @Nullable Instant takeOverAt;

    /** What of the store acquiring needs. */
    public record Stores(Acquire acquire, Misfires misfires, Quarantine quarantine) {}

    public Acquiring(
            EngineSettings settings,
            LocalTasks localTasks,
            KnownSessions knownSessions,
            DatabaseClock clock,
            Stores stores,
            DefinitionCache definitionCache,
            LongSupplier nanos) {
        this.settings = settings;
        this.localTasks = localTasks;
        this.knownSessions = knownSessions;
        this.clock = clock;
        this.acquire = stores.acquire;
        this.quarantine = stores.quarantine;
        this.definitionCache = definitionCache;
        this.postponed = new Postponed<>(
                nanos, a -> a.task().id(), a -> "task " + a.task().id() + " cannot be prepared");
        this.settling = new Settling(stores.misfires, stores.quarantine, definitionCache, nanos);
    }

    /** Whether something due was left lying for want of a slot. May be asked without the turn. */
    boolean lacksSlots() {
        return lacksSlots;
    }

    /** Whether the last round found something to take over, or did not look. */
    boolean mayTakeOver() {
        return mayTakeOver;
    }

    /** Whether the last round found something that is to be taken over by now unless its owner has fired it. */
    boolean takeOverIsDue() {
        return takeOverAt != null && !takeOverAt.isAfter(clock.now());
    }

    /** When that will be so; empty if it found nothing of the kind. */
    Optional<Instant> takeOverAt() {
        return Optional.ofNullable(takeOverAt);
    }

    /** Nothing that waits, or that others should have fired, was due before. */
    Instant floor() {
        return floor;
    }

    /**
     * One round.
     *
     * @param heldUp how many tasks are prepared and due and cannot be started: they take no slot
     * @return true: there is more to acquire
     */
    boolean acquire(Trust trust, int heldUp) {
        Instant now = clock.now();
        int slots = localTasks.freeSlots(settings.capacity());
        int room = settings.preparedLimit() - localTasks.preparedCount();
        mayTakeOver = true;
        takeOverAt = null;
        if (slots <= 0 || room <= 0) {
            lacksSlots = slots <= 0;
            return false;
        }
        Set<Integer> own = Set.copyOf(knownSessions.shardsOf(trust.sessionId()));
        Acquire.Found found = scan(trust, own, now);
        List<Candidate> candidates = found.candidates();
        if (candidates.isEmpty()) {
            lacksSlots = false;
            return walk.lookedUpTo(null, true);
        }
        Set<Long> left = definitionCache.load(candidates.stream()
                .map(c -> new DefinitionCache.Wanted(c.jobId(), c.version()))
                .toList());
        Set<Long> misfired = candidates.stream()
                .filter(c -> isMisfire(c, now))
                .map(Candidate::jobId)
                .collect(Collectors.toSet());
        boolean goOn = lookedUpTo(found.end(), candidates, left);
        boolean settled = settling.settle(trust, misfired, now);
        List<Acquisition> wanted = plan(trust, candidates, misfired, own, now, slots, room, heldUp);
        // Slots that became free since they were counted have woken nobody, as nothing was known to lack them.
        boolean freed = lacksSlots && localTasks.freeSlots(settings.capacity()) > slots;
        int before = localTasks.preparedCount();
        boolean retries = postponed.size() > 0;
        postponed.run(
                wanted,
                part -> localTasks.addPrepared(acquire.acquire(trust.sessionId(), part, now)),
                (alone, problem) -> setAside(alone.task(), problem));
        boolean more = found.end() != null || !left.isEmpty() || retries;
        boolean untried = !wanted.isEmpty() && postponed.hasUntried();
        return settled || freed || goOn || untried || (more && localTasks.preparedCount() > before);
    }

    private boolean lookedUpTo(@Nullable DuePosition end, List<Candidate> candidates, Set<Long> left) {
        LongPredicate turn = turn(candidates);
        LongPredicate settles =
                settling.turn(candidates.stream().map(Candidate::jobId).collect(Collectors.toSet()));
        long usable = candidates.stream()
                .filter(c -> left.contains(c.jobId())
                        || definitionCache.find(c.jobId(), c.version()).isPresent())
                .filter(c -> turn.test(c.id()) && settles.test(c.jobId()))
                .count();
        return walk.lookedUpTo(end, 2 * usable < candidates.size());
    }

    private LongPredicate turn(List<Candidate> candidates) {
        return postponed.turn(candidates.stream().map(Candidate::id).collect(Collectors.toSet())::contains);
    }

    private boolean setAside(Candidate task, DataProblem problem) {
        log.error("task {} is set aside: it cannot be prepared", task.id(), problem);
        quarantine.idle(
                List.of(new Row(task.id(), task.version(), task.shard())),
                "cannot be prepared: " + problem.getMessage());
        return true;
    }

    private Acquire.Found scan(Trust trust, Set<Integer> own, Instant now) {
        boolean full =
                walk.isAtStart() && Duration.between(fullyScanned, now).abs().compareTo(fullScanAfter) >= 0;
        boolean all = own.size() == Locks.SHARDS; // as on a node that is alone: no shard needs to be asked for
        Set<Long> leftOut = postponed.leftOut();
        Set<Long> jobs = settling.leftOut();
        Instant since = full ? Instant.EPOCH : floor;
        boolean atStart = walk.isAtStart();
        Acquire.Found found = acquire.scan(
                new Acquire.Look(
                        since,
                        walk.from(since),
                        all ? settings.horizon() : settings.spill(),
                        settings.horizon(),
                        all ? Set.of() : own,
                        settings.batch(),
                        new LeftOut(definitionCache.notUnderstood().leftOut(), jobs, leftOut)),
                knownSessions.isAlone() ? null : trust.sessionId());
        lookAtOthers(found.othersDue(), now);
        List<Candidate> candidates = found.candidates();
        Instant ahead = clock.latest().plus(settings.horizon());
        if (candidates.stream().anyMatch(c -> c.dueAt().isAfter(ahead))) {
            return new Acquire.Found(
                    List.of(), null, found.othersDue()); // the database's clock has leapt ahead since it was read
        }
        if (full) {
            fullyScanned = now;
            Duration took = Duration.between(now, clock.now()).multipliedBy(FULL_SCAN_SHARE);
            fullScanAfter = took.compareTo(FULL_SCAN) > 0 ? took : FULL_SCAN;
            Instant reach = now.minus(REACH_BACK);
            floor = Stream.of(
                            candidates.stream().map(Candidate::dueAt),
                            postponed.items().stream().map(a -> a.task().dueAt()),
                            settling.postponed(),
                            Stream.ofNullable(found.othersDue()))
                    .flatMap(due -> due)
                    .filter(due -> due.isBefore(reach))
                    .min(Instant::compareTo)
                    .orElse(reach);
        }
        if (atStart && found.end() == null) {
            postponed.found(leftOut, candidates.stream().map(Candidate::id).collect(Collectors.toSet()));
            settling.found(jobs, candidates.stream().map(Candidate::jobId).collect(Collectors.toSet()));
        }
        return found;
    }

    private void lookAtOthers(@Nullable Instant due, Instant now) {
        Instant overdue = due == null ? null : due.plus(settings.takeover());
        mayTakeOver = overdue != null && !overdue.isAfter(now);
        takeOverAt = overdue == null || mayTakeOver ? null : overdue.plus(CLOCKS_DIFFER);
    }

    private boolean isMisfire(Candidate task, Instant now) {
        return task.cause() == Cause.SCHEDULE && task.fireTime().isBefore(now.minus(settings.misfireThreshold()));
    }

    private List<Acquisition> plan(
            Trust trust,
            List<Candidate> candidates,
            Set<Long> misfired,
            Set<Integer> own,
            Instant now,
            int slots,
            int room,
            int heldUp) {
        Supplier<LaunchId> launches = knownSessions.launchesOf(trust.sessionId());
        List<Acquisition> wanted = new ArrayList<>();
        int dueNow = Math.max(0, localTasks.countDue(now) - heldUp);
        int planned = 0;
        boolean lacks = false;
        LongPredicate turn = turn(candidates);
        for (Candidate task : candidates) {
            boolean due = !task.dueAt().isAfter(now);
            lacks |= due && dueNow >= slots;
            if (misfired.contains(task.jobId()) || (due && dueNow >= slots) || planned >= room) {
                continue;
            }
            Instant until = now.plus(ahead(own.contains(task.shard()), room - planned));
            var entry = definitionCache.find(task.jobId(), task.version());
            if (entry.isPresent() && turn.test(task.id())) {
                Acquisition acquisition = Planner.prepare(task, entry.get().schedule(), until, launches);
                wanted.add(acquisition);
                planned += 1 + acquisition.further().size();
                dueNow += due ? 1 : 0;
            }
        }
        lacksSlots = lacks;
        return wanted;
    }

    /** How far ahead occurrences are made: less, the less room is left, so that frequent jobs do not fill it in the place of others. */
    private Duration ahead(boolean own, int room) {
        Duration most = own ? settings.horizon() : settings.spill();
        return most.multipliedBy(room).dividedBy(settings.preparedLimit());
    }
}
