package dev.rowlock.engine;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.store.Acquire;
import dev.rowlock.store.Acquisition;
import dev.rowlock.store.Candidate;
import dev.rowlock.store.Locks;
import dev.rowlock.store.Misfires;
import dev.rowlock.store.Misfires.Decision;
import dev.rowlock.store.Misfires.Overdue;
import dev.rowlock.store.Quarantine;
import dev.rowlock.store.Quarantine.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds idle tasks whose time comes and prepares them; settles those whose time is long past. Needs the turn. */
final class Acquiring {

    private static final Logger log = LoggerFactory.getLogger(Acquiring.class);
    /** How often rows of any age are looked for; in between the scan starts where the oldest waiting row was. */
    private static final Duration FULL_SCAN = Duration.ofSeconds(30);
    /** Where much is not purged a look for rows of any age takes long; it may take so small a share of the time. */
    private static final int FULL_SCAN_SHARE = 100;
    /** Whatever becomes due again is written with the time of that moment; the scan reaches back this far for clocks and slow commits. */
    private static final Duration REACH_BACK = Duration.ofSeconds(90);

    /** By so much our estimate of the database's clock may be ahead of it. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMillis(20);

    private final Settings settings;
    private final Holdings holdings;
    private final Membership membership;
    private final DatabaseClock clock;
    private final Acquire acquire;
    private final Misfires misfires;
    private final Catalog catalog;
    private final Quarantine quarantine;
    /** Tasks that could not be prepared. */
    private final Postponed postponed;
    /** Jobs whose missed occurrences could not be settled. */
    private final Postponed unsettled;

    private Instant floor = Instant.EPOCH;
    private Instant fullyScanned = Instant.EPOCH;
    private Duration fullScanAfter = FULL_SCAN;
    private volatile boolean lacksSlots;
    private boolean mayTakeOver;
    private @Nullable Instant takeOverAt;

    /** What of the store acquiring needs. */
    record Stores(Acquire acquire, Misfires misfires, Quarantine quarantine) {}

    Acquiring(
            Settings settings,
            Holdings holdings,
            Membership membership,
            DatabaseClock clock,
            Stores stores,
            Catalog catalog,
            LongSupplier nanos) {
        this.settings = settings;
        this.holdings = holdings;
        this.membership = membership;
        this.clock = clock;
        this.acquire = stores.acquire;
        this.misfires = stores.misfires;
        this.quarantine = stores.quarantine;
        this.catalog = catalog;
        this.postponed = new Postponed(nanos);
        this.unsettled = new Postponed(nanos);
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

    /** One round. True: there is more to acquire. */
    boolean acquire(Trust trust) {
        Instant now = clock.now();
        int slots = holdings.freeSlots(settings.capacity());
        int room = settings.preparedLimit() - holdings.preparedCount();
        mayTakeOver = true;
        takeOverAt = null;
        if (slots <= 0 || room <= 0) {
            lacksSlots = slots <= 0;
            return false;
        }
        Set<Integer> own = Set.copyOf(membership.shardsOf(trust.sessionId()));
        List<Candidate> candidates = scan(trust, own, now);
        if (candidates.isEmpty()) {
            lacksSlots = false;
            return false;
        }
        Catalog.Loaded loaded = catalog.load(candidates.stream()
                .map(c -> new Catalog.Wanted(c.jobId(), c.version()))
                .toList());
        boolean full = candidates.size() >= settings.batch();
        boolean madeRoom = full && loaded.notUnderstood() > 0; // these are left out of the next scan
        Set<Long> misfired = candidates.stream()
                .filter(c -> isMisfire(c, now))
                .map(Candidate::jobId)
                .collect(Collectors.toSet());
        boolean settled = settle(trust, misfired, now);
        List<Acquisition> wanted = plan(trust, candidates, misfired, own, now, slots, room);
        // Slots that became free since they were counted have woken nobody, as nothing was known to lack them.
        boolean freed = lacksSlots && holdings.freeSlots(settings.capacity()) > slots;
        if (wanted.isEmpty()) {
            return settled || freed || madeRoom;
        }
        int before = holdings.preparedCount();
        Splitting.run(
                wanted,
                part -> holdings.addPrepared(acquire.acquire(trust.sessionId(), part, now)),
                (alone, problem) -> setAside(
                        List.of(new Row(
                                alone.task().id(),
                                alone.task().version(),
                                alone.task().shard())),
                        "cannot be prepared: " + problem.getMessage(),
                        problem),
                (alone, problem) ->
                        postponed.add(alone.task().id(), "task " + alone.task().id() + " cannot be prepared", problem));
        boolean more = full || !loaded.left().isEmpty();
        return settled || freed || madeRoom || (more && holdings.preparedCount() > before);
    }

    private void setAside(List<Row> rows, String why, RuntimeException problem) {
        log.error("tasks {} are set aside: {}", rows.stream().map(Row::id).toList(), why, problem);
        quarantine.idle(rows, why);
    }

    private List<Candidate> scan(Trust trust, Set<Integer> own, Instant now) {
        boolean full = Duration.between(fullyScanned, now).abs().compareTo(fullScanAfter) >= 0;
        boolean all = own.size() == Locks.SHARDS; // as on a node that is alone: no shard needs to be asked for
        Acquire.Found found = acquire.scan(
                new Acquire.Look(
                        full ? Instant.EPOCH : floor,
                        all ? settings.horizon() : settings.spill(),
                        settings.horizon(),
                        all ? Set.of() : own,
                        settings.batch(),
                        catalog.notUnderstood().leftOut()),
                membership.isAlone() ? null : trust.sessionId());
        lookAtOthers(found.othersDue(), now);
        List<Candidate> candidates = found.candidates();
        Instant ahead = clock.latest().plus(settings.horizon());
        if (candidates.stream().anyMatch(c -> c.dueAt().isAfter(ahead))) {
            return List.of(); // the database's clock has leapt ahead since it was read
        }
        if (full) {
            fullyScanned = now;
            Duration took = Duration.between(now, clock.now()).multipliedBy(FULL_SCAN_SHARE);
            fullScanAfter = took.compareTo(FULL_SCAN) > 0 ? took : FULL_SCAN;
            Instant reach = now.minus(REACH_BACK);
            floor = Stream.concat(candidates.stream().map(Candidate::dueAt), Stream.ofNullable(found.othersDue()))
                    .filter(due -> due.isBefore(reach))
                    .min(Instant::compareTo)
                    .orElse(reach);
        }
        return candidates;
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
            int room) {
        Supplier<LaunchId> launches = membership.launchesOf(trust.sessionId());
        List<Acquisition> wanted = new ArrayList<>();
        int dueNow = holdings.countDue(now);
        int planned = 0;
        boolean lacks = false;
        for (Candidate task : candidates) {
            boolean due = !task.dueAt().isAfter(now);
            lacks |= due && dueNow >= slots;
            if (misfired.contains(task.jobId()) || (due && dueNow >= slots) || planned >= room) {
                continue;
            }
            Instant until = now.plus(ahead(own.contains(task.shard()), room - planned));
            var entry = catalog.find(task.jobId(), task.version());
            if (entry.isPresent() && !postponed.contains(task.id())) {
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

    private boolean settle(Trust trust, Set<Long> jobs, Instant now) {
        if (jobs.isEmpty()) {
            return false;
        }
        Map<Long, List<Overdue>> byJob = new LinkedHashMap<>();
        List<Long> ready = jobs.stream().filter(job -> !unsettled.contains(job)).toList();
        for (Overdue row : ready.isEmpty() ? List.<Overdue>of() : misfires.overdue(ready)) {
            byJob.computeIfAbsent(row.jobId(), id -> new ArrayList<>()).add(row);
        }
        List<Decision> decisions = new ArrayList<>();
        byJob.forEach((job, rows) -> catalog.find(job, rows.get(0).version())
                .ifPresent(entry -> decisions.add(Planner.runOnce(rows, entry.schedule(), now))));
        if (decisions.isEmpty()) {
            return false;
        }
        AtomicInteger settled = new AtomicInteger();
        Splitting.run(
                decisions,
                part -> settled.addAndGet(misfires.settle(trust.sessionId(), part)),
                (alone, problem) -> setAside(
                        alone.rows().stream()
                                .map(r -> new Row(r.id(), r.version(), r.shard()))
                                .toList(),
                        "the missed occurrences cannot be settled: " + problem.getMessage(),
                        problem),
                (alone, problem) -> unsettled.add(
                        alone.rows().get(0).jobId(),
                        "the missed occurrences of job " + alone.rows().get(0).jobId() + " cannot be settled",
                        problem));
        log.info("settled the missed occurrences of {} jobs", settled);
        return settled.get() > 0;
    }
}
