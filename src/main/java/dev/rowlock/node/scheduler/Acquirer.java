package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.DataProblem;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.RetryBackoff;
import dev.rowlock.node.scheduler.FrozenJobs.TreatedTasks;
import dev.rowlock.node.scheduler.Intents.Budget;
import dev.rowlock.node.scheduler.Intents.TaskPlan;
import dev.rowlock.node.scheduler.Scan.ScanResult;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.transition.Acquire;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.transition.DuePosition;
import dev.rowlock.task.transition.Quarantine;
import dev.rowlock.task.transition.ScanFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transition idle → prepared: a {@link Scan} finds what is due, {@link Intents} decide what is made of it, one
 * transaction prepares it, {@link Dispatch} hands it to memory. Misfires are settled on the way.
 */
final class Acquirer {

    private static final Logger log = LoggerFactory.getLogger(Acquirer.class);

    /** Lateness from which on nothing is looked for behind what freezes held, which waits for slots. */
    private static final Duration BEHIND_FROZEN = Duration.ofSeconds(1);

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final Acquire acquire;
    private final Quarantine quarantine;
    private final DefinitionCache definitionCache;
    private final MisfireSettler misfires;
    private final Dispatch dispatch;
    private final TakeOver takeOver;
    private final Priorities priorities;
    private final Deadlines deadlines;
    private final FrozenJobs frozen;
    private final Planner planner;
    private final Scan scan;
    private final RetryBackoff<Acquisition> postponed;

    Acquirer(
            NodeContext node,
            KnownSessions knownSessions,
            Acquire acquire,
            Quarantine quarantine,
            DefinitionCache definitionCache,
            MisfireSettler misfires,
            FrozenJobs frozen,
            Dispatch dispatch,
            TakeOver takeOver) {
        this.frozen = frozen;
        this.node = node;
        this.knownSessions = knownSessions;
        this.acquire = acquire;
        this.quarantine = quarantine;
        this.definitionCache = definitionCache;
        this.misfires = misfires;
        this.dispatch = dispatch;
        this.takeOver = takeOver;
        this.priorities = new Priorities(node, acquire);
        this.deadlines = new Deadlines(node, acquire, definitionCache);
        this.planner = new Planner(node.settings().misfireThreshold());
        this.scan = new Scan(node, knownSessions, acquire, priorities, takeOver);
        this.postponed = new RetryBackoff<>(
                node.nanos(), a -> a.task().id(), a -> "task " + a.task().id() + " cannot be prepared");
    }

    /**
     * Prepares what comes next.
     *
     * @param heldUp how many tasks are prepared and due and cannot be started: they take no slot
     * @return what is left to be prepared
     */
    Next acquire(PreparedTasks prepared, Trust trust, int heldUp) {
        Instant now = node.clock().now();
        int slots = node.slots().free();
        takeOver.notScanned();
        if (slots <= 0 || node.slots().areLacked()) {
            prepareOverdue(prepared, trust, now);
        }
        if (slots <= 0 && knownSessions.isAlone()) {
            preparePrioritized(prepared, trust, now);
        }
        if ((slots <= 0 && !misfires.isUnsettled()) || room(prepared) <= 0) {
            node.slots().lack(slots <= 0);
            return Next.idle();
        }
        return scan.placement().isIdle() ? Next.idle() : acquire(prepared, trust, now, slots, heldUp);
    }

    private Next acquire(PreparedTasks prepared, Trust trust, Instant now, int slots, int heldUp) {
        Set<Integer> own = Set.copyOf(knownSessions.stripesOf(trust.sessionId()));
        ScanResult found = find(trust, own, now);
        boolean aside = found.begin() == ScanCursor.Begin.ASIDE;
        List<Task> mine = aside ? misfires.withNothingOlder(found.mine(), now) : found.mine();
        if (mine.isEmpty()) {
            node.slots().lack(false);
            misfires.unsettled(aside);
            return found.next(scan.used(found, 0));
        }
        Set<Long> left = definitionCache.loadJobsOf(mine);
        int due = Math.max(0, prepared.countDue(now) - heldUp);
        TreatedTasks treated = frozen.treat(trust, mine, own, due, now);
        List<Task> tasks = treated.left();
        Set<Long> misfired = misfires.misfired(tasks, now);
        boolean settled = misfires.settle(trust, misfired, now) || treated.changed();
        boolean scansOn = scan.used(found, usable(mine, left));
        boolean isFull = scan.mayHideMore(found);
        boolean hidden = isFull && (!misfired.isEmpty() || treated.heldBack());
        misfires.unsettled(aside || (settled && hidden));
        if (hidden && slots > 0) { // what is due in time, and what makes up for others, does not wait
            scan.lookBehind(now.minus(
                    treated.heldBack() ? BEHIND_FROZEN : node.settings().misfireThreshold()));
        }
        Budget budget = new Budget(
                slots - due,
                prepared.lowestPriorityDue(now),
                node.slots().free(),
                aside
                        ? new PrepareBudget(room(prepared), now, node.settings())
                        : PrepareBudget.after(found.end(), room(prepared), node.settings()),
                own,
                now);
        Intents intents = intents(trust, tasks, misfired, budget);
        // Slots that became free since they were counted have woken nobody, as nothing was known to lack them.
        boolean freed = intents.lacksSlots() && node.slots().free() > slots;
        boolean findsMore = found.end() != null || !left.isEmpty() || postponed.size() > 0;
        boolean grew = prepare(prepared, trust, intents, now);
        node.slots().lack(intents.lacksSlots() || treated.heldBack());
        boolean untried = !intents.acquire().isEmpty() && postponed.hasUntried();
        return found.next(
                settled || scansOn || freed || untried || (findsMore && grew) || (hidden && treated.heldBack()));
    }

    private ScanResult find(Trust trust, Set<Integer> own, Instant now) {
        ScanFilter filter = filter();
        Stream<Instant> since =
                Stream.concat(postponed.items().stream().map(a -> a.task().due()), misfires.postponed());
        ScanResult found = scan.find(trust, own, filter, since, now);
        if (found.isWhole()) {
            postponed.found(
                    Set.copyOf(filter.tasks()),
                    found.all().stream().map(Task::id).collect(Collectors.toSet()));
            misfires.found(Set.copyOf(filter.jobs()), jobs(found.all()));
        }
        return found;
    }

    private ScanFilter filter() {
        return new ScanFilter(
                definitionCache.notUnderstood().leftOut(), misfires.leftOut(), postponed.leftOut(), scan.placement());
    }

    /** Prepares what may not start any more, as it needs no slot: it is missed when it is fired or settled. */
    private void prepareOverdue(PreparedTasks prepared, Trust trust, Instant now) {
        int room = room(prepared);
        List<Task> over = room <= 0 ? List.of() : unfrozen(scan.mine(deadlines.over(filter()), now));
        if (!over.isEmpty()) {
            Set<Long> misfired = misfires.misfired(over, now);
            misfires.settle(trust, misfired, now);
            PrepareBudget none = new PrepareBudget(room, Instant.EPOCH, node.settings()); // for what comes after them
            prepare(prepared, trust, intents(trust, over, misfired, budget(room, none, now)), now);
        }
    }

    /**
     * Prepares prioritized tasks although others wait here for a slot, with no other node to take them: those must not
     * hide them.
     */
    private void preparePrioritized(PreparedTasks prepared, Trust trust, Instant now) {
        int room = room(prepared);
        if (room > 0) {
            int above = prepared.lowestPriorityDue(now);
            List<Task> tasks = unfrozen(scan.mine(priorities.waiting(above, filter()), now));
            definitionCache.loadJobsOf(tasks);
            PrepareBudget ahead = new PrepareBudget(room, now, node.settings());
            Set<Long> misfired = misfires.misfired(tasks, now);
            prepare(prepared, trust, intents(trust, tasks, misfired, budget(room, ahead, now)), now);
        }
    }

    /** Leaves out what a freeze held, which {@link FrozenJobs} lets go. */
    private static List<Task> unfrozen(List<Task> tasks) {
        return tasks.stream().filter(task -> task.hold() != Hold.FREEZE).toList();
    }

    private Budget budget(int slots, PrepareBudget room, Instant now) {
        return new Budget(slots, 0, node.slots().free(), room, Set.of(), now);
    }

    private int room(PreparedTasks prepared) {
        return node.settings().preparedLimit() - prepared.size();
    }

    private Intents intents(Trust trust, List<Task> tasks, Set<Long> misfired, Budget budget) {
        LongPredicate isReady = ready(tasks);
        Instant surely = node.clock().earliest(); // what is skipped must have been due
        boolean foundAll = budget.room().found() == null;
        var launches = knownSessions.launchesOf(trust.sessionId());
        TaskPlan plan = (task, isMine, until) -> definitionCache
                .find(task.jobId(), task.version())
                .filter(job -> !misfired.contains(task.jobId()) && isReady.test(task.id()))
                .filter(job -> !task.cursor() || task.hold() == null)
                .map(job -> planner.prepare(task, job, isMine, surely, foundAll, until, launches));
        Intents intents = Intents.of(priorities.inTurn(tasks, budget.now()), budget, scan.placement(), plan);
        node.slots().lack(intents.lacksSlots());
        return intents;
    }

    /**
     * Prepares the intents, in one transaction unless some of it fails, and returns whether any of them is prepared
     * now.
     */
    private boolean prepare(PreparedTasks prepared, Trust trust, Intents intents, Instant now) {
        return postponed
                .run(
                        intents.acquire(),
                        part -> dispatch.prepared(prepared, acquire.acquire(trust.sessionId(), part, now)),
                        (alone, problem) -> setAside(alone.task(), problem))
                .contains(true);
    }

    /** Counts those that this node can work on: their jobs are read, or are next, and they did not fail just now. */
    private long usable(List<Task> tasks, Set<Long> left) {
        LongPredicate isReady = ready(tasks);
        LongPredicate settles = misfires.ready(jobs(tasks));
        return tasks.stream()
                .filter(task -> left.contains(task.jobId())
                        || definitionCache.find(task.jobId(), task.version()).isPresent())
                .filter(task -> isReady.test(task.id()) && settles.test(task.jobId()))
                .count();
    }

    private LongPredicate ready(List<Task> tasks) {
        return postponed.ready(tasks.stream().map(Task::id).collect(Collectors.toSet())::contains);
    }

    private static Set<Long> jobs(Collection<Task> tasks) {
        return tasks.stream().map(Task::jobId).collect(Collectors.toSet());
    }

    private boolean setAside(Task task, DataProblem problem) {
        log.error("task {} is set aside: it cannot be prepared", task.id(), problem);
        quarantine.idle(List.of(task.ref()), "cannot be prepared: " + problem.getMessage());
        return true;
    }

    /**
     * Search for idle tasks whose start deadline is over, where slots lack: nobody would look at them before one is
     * free.
     */
    private static final class Deadlines {

        private static final Duration REST = Duration.ofSeconds(1);
        /** Rows of the backlog that one statement looks at, while what is due here waits. */
        private static final int AT_ONCE = 2_000;
        /** Inverse of the share of the time that the statements may take. */
        private static final int SHARE = 20;

        private final NodeContext node;
        private final Acquire acquire;
        private final DefinitionCache definitionCache;
        private @Nullable DuePosition next;
        private long restsUntilNanos;

        Deadlines(NodeContext node, Acquire acquire, DefinitionCache definitionCache) {
            this.node = node;
            this.acquire = acquire;
            this.definitionCache = definitionCache;
            this.restsUntilNanos = node.nanos().getAsLong();
        }

        /** Returns some that may not start any more, their jobs loaded; nothing if that was searched a moment ago. */
        List<Task> over(ScanFilter filter) {
            long began = node.nanos().getAsLong();
            if (began - restsUntilNanos < 0) {
                return List.of();
            }
            Instant surely = node.clock().earliest();
            DuePosition from = next == null ? DuePosition.at(Instant.EPOCH) : next;
            AcquirableTasks found = acquire.backlog().withDeadline(from, filter, AT_ONCE);
            definitionCache.loadJobsOf(found.candidates());
            int batch = node.settings().batch();
            List<Task> over = found.candidates().stream()
                    .filter(task -> definitionCache
                            .deadline(task.jobId(), task.version(), task.fireTime())
                            .isBefore(surely))
                    .toList();
            next = over.size() > batch ? from : found.end();
            long ended = node.nanos().getAsLong();
            restsUntilNanos = ended + Math.max(next == null ? REST.toNanos() : 0, SHARE * (ended - began));
            return over.size() > batch ? over.subList(0, batch) : over;
        }
    }
}
