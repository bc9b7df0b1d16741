package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.engine.EngineSettings;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Postponed;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.store.task.Claim;
import dev.rowlock.store.task.LeftOut;
import dev.rowlock.store.task.PreparedTask;
import dev.rowlock.store.task.Quarantine;
import dev.rowlock.store.task.Start;
import dev.rowlock.store.task.Start.NoSlot;
import dev.rowlock.store.task.Start.Result;
import dev.rowlock.store.task.StartedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Moves due tasks to executing and hands them to the launcher, each only after a commit that is known to have succeeded. Needs the turn. */
public final class Firing {

    private static final Logger log = LoggerFactory.getLogger(Firing.class);

    private final EngineSettings settings;
    private final LocalTasks localTasks;
    private final KnownSessions knownSessions;
    private final DatabaseClock clock;
    private final Start start;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final Commands commands;
    /** Due tasks that found no slot and stay prepared, because nobody else is there to run them. */
    private final Set<Long> waiting = new HashSet<>();

    /** What could not be started; what of it is ours stays prepared. */
    private final Postponed<Claim> postponed;
    /** Through what others left overdue. */
    private final Walk walk = new Walk();

    private volatile boolean wantsSlots;
    private volatile boolean firing;

    /** What of the store firing needs. */
    public record Stores(Start start, Quarantine quarantine) {}

    public Firing(
            EngineSettings settings,
            LocalTasks localTasks,
            KnownSessions knownSessions,
            DatabaseClock clock,
            Stores stores,
            DefinitionCache definitionCache,
            Commands commands,
            LongSupplier nanos) {
        this.settings = settings;
        this.localTasks = localTasks;
        this.knownSessions = knownSessions;
        this.clock = clock;
        this.start = stores.start;
        this.quarantine = stores.quarantine;
        this.definitionCache = definitionCache;
        this.commands = commands;
        this.postponed = new Postponed<>(nanos, Claim::id, claim -> "task " + claim.id() + " cannot be started");
    }

    /** Whether commands may be started at all. */
    boolean mayStart() {
        return commands.mayStart();
    }

    /** Fires what is due of our own. True: some of it is not quite due yet by the database's clock. */
    boolean fireDue(Trust trust) {
        List<Claim> due = due();
        firing = !due.isEmpty();
        try {
            return fire(due, trust);
        } finally {
            firing = false;
        }
    }

    private boolean fire(List<Claim> first, Trust trust) {
        boolean early = false;
        List<Claim> due = loaded(first);
        while (!due.isEmpty()) {
            if (!commands.mayStart()) {
                return false;
            }
            NoSlot withoutSlot = knownSessions.isAlone() ? NoSlot.KEEP : NoSlot.GIVE_BACK;
            Result result = start(trust, due, Duration.ZERO, withoutSlot);
            for (Claim claim : due) {
                if (withoutSlot == NoSlot.KEEP && result.full().contains(claim.id())) {
                    waiting.add(claim.id());
                } else if (!result.early().contains(claim.id()) && !postponed.has(claim.id())) {
                    waiting.remove(claim.id());
                    localTasks.dropPrepared(claim.id());
                }
            }
            if (!result.early().isEmpty()) {
                early = true;
                break;
            }
            due = loaded(due());
        }
        return early;
    }

    /** Takes over what others should have fired and was due at {@code floor} or later. True: there may be more. */
    boolean takeOver(Trust trust, Instant floor) {
        int slots = freeSlots();
        if (slots <= 0 || knownSessions.isAlone() || !commands.mayStart()) {
            return false;
        }
        int most = Math.min(slots, settings.batch());
        Set<Long> leftOut = postponed.leftOut();
        Start.Found look = start.overdue(
                trust.sessionId(),
                settings.takeover(),
                walk.from(floor),
                most,
                new LeftOut(definitionCache.notUnderstood().leftOut(), List.of(), leftOut),
                knownSessions.launchesOf(trust.sessionId()));
        List<Claim> found = look.claims();
        List<Claim> overdue = loaded(found);
        boolean goOn = walk.lookedUpTo(
                look.end(), 2 * overdue.stream().filter(this::isKnown).count() < found.size());
        if (found.isEmpty()) {
            return false;
        }
        Result result = start(trust, overdue, settings.takeover(), NoSlot.GIVE_BACK);
        if (!result.started().isEmpty()) {
            log.info(
                    "took over {} overdue tasks of other nodes",
                    result.started().size());
        }
        return goOn
                || ((found.size() == most || overdue.size() < found.size())
                        && !result.started().isEmpty());
    }

    /** How many of ours are due and cannot be started now. */
    int heldUp() {
        return (int) postponed.items().stream()
                .filter(claim -> localTasks.isPrepared(claim.id()))
                .count();
    }

    private boolean isKnown(Claim claim) {
        return definitionCache.find(claim.jobId(), claim.version()).isPresent();
    }

    int freeSlots() {
        return localTasks.freeSlots(settings.capacity());
    }

    /** As many of them as memory bears the definitions of; the others come next. */
    private List<Claim> loaded(List<Claim> claims) {
        Set<Long> left = definitionCache.load(claims.stream()
                .map(c -> new DefinitionCache.Wanted(c.jobId(), c.version()))
                .toList());
        return left.isEmpty()
                ? claims
                : claims.stream().filter(c -> !left.contains(c.jobId())).toList();
    }

    private Result start(Trust trust, List<Claim> claims, Duration overdue, NoSlot withoutSlot) {
        LongPredicate turn = postponed.turn(claims.stream().map(Claim::id).collect(Collectors.toSet())::contains);
        List<Claim> known =
                claims.stream().filter(c -> isKnown(c) && turn.test(c.id())).toList();
        Result sum = new Result(new ArrayList<>(), new HashSet<>(), new HashSet<>(), new HashSet<>());
        postponed.run(known, part -> run(start(part, trust, overdue, withoutSlot), trust, sum), this::setAside);
        return sum;
    }

    private Result start(List<Claim> claims, Trust trust, Duration overdue, NoSlot withoutSlot) {
        return start.start(trust.sessionId(), settings.node(), claims, Math.max(0, freeSlots()), overdue, withoutSlot);
    }

    private void run(Result result, Trust trust, Result sum) {
        sum.started().addAll(result.started());
        sum.early().addAll(result.early());
        sum.full().addAll(result.full());
        for (StartedTask task : result.started()) {
            commands.run(
                    task,
                    definitionCache
                            .find(task.jobId(), task.version())
                            .orElseThrow()
                            .definition(),
                    trust);
        }
    }

    private boolean setAside(Claim claim, DataProblem problem) {
        log.error("task {} is set aside: it cannot be started", claim.id(), problem);
        quarantine.prepared(claim, "cannot be started: " + problem.getMessage());
        return true;
    }

    /** What is due and was not tried yet, and as much of what waits for a slot as there are slots. */
    private List<Claim> due() {
        Instant now = clock.now();
        int slots = freeSlots();
        List<Claim> due = new ArrayList<>();
        LongPredicate turn = postponed.turn(localTasks::isPrepared);
        for (PreparedTask task : localTasks.bySoonest()) {
            if (task.dueAt().isAfter(now) || due.size() == settings.batch()) {
                break;
            }
            if ((!waiting.contains(task.id()) || due.size() < slots) && turn.test(task.id())) {
                due.add(Claim.fire(task));
            }
        }
        return due;
    }

    /** Whether something due waits for a slot. */
    boolean waits() {
        waiting.removeIf(id -> !localTasks.isPrepared(id)); // taken from us, or edited
        wantsSlots = !waiting.isEmpty();
        return wantsSlots;
    }

    /** Like {@link #waits}, as of the last round. May be asked without the turn. */
    boolean wantsSlots() {
        return wantsSlots;
    }

    /** Whether due tasks are being started just now. May be asked without the turn. */
    public boolean isFiring() {
        return firing;
    }

    /** Whether so many slots are free that filling them is worth a transaction. May be asked without the turn. */
    boolean hasRoom() {
        return freeSlots() >= Math.max(1, settings.capacity() / 2);
    }

    /** Whether something is due by our estimate of the database's clock, which may have been set back. */
    boolean isDue() {
        var soonest = localTasks.bySoonest().iterator();
        return soonest.hasNext() && !soonest.next().dueAt().isAfter(clock.now());
    }

    /** When the next task is due that does not wait for a slot already. */
    Optional<Instant> nextDue() {
        LongPredicate turn = postponed.turn(localTasks::isPrepared);
        for (PreparedTask task : localTasks.bySoonest()) {
            if (!waiting.contains(task.id()) && turn.test(task.id())) {
                return Optional.of(task.dueAt());
            }
        }
        return Optional.empty();
    }
}
