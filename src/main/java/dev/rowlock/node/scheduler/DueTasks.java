package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.scheduler.Backlog.BacklogReason;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.Task;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.transition.Start.NoSlot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Firing of what is prepared here when it is due. */
final class DueTasks {

    /** Rest before a task is retried that is due by our estimate but not by the database's clock. */
    private static final Duration ALMOST_DUE = Duration.ofMillis(2);
    /** Longest such rest, which doubles with each attempt: the database's clock may have leapt. */
    private static final Duration LONG_EARLY = Duration.ofMillis(100);
    /** Rest before what waits for a slot is retried, if not enough are free before. */
    private static final Duration SLOTS_AGAIN = Duration.ofMillis(50);
    /** Rest before what waits for a result to be recorded is retried, if that is not signalled. */
    private static final Duration RESULTS_AGAIN = Duration.ofMillis(200);

    /**
     * Least rest before what waits for a slot and seemed to be past its deadline is retried. A rerun goes on waiting,
     * and is retried after ever longer rests.
     */
    private static final Duration MISSED_AGAIN = Duration.ofSeconds(1);

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final Starter starter;
    /** Due tasks that found no slot and stay prepared, because no other node can run them. */
    private final Set<Long> waiting = new HashSet<>();
    /** Times after which each of these is tried again without a slot, to be missed. */
    private final Map<Long, Instant> deadlines = new HashMap<>();
    /** Condition that due tasks wait for the results of those before them. */
    private volatile boolean awaitsResults;
    /** Due time that was next when something was last found to be early. */
    private @Nullable Instant earlyDue;

    private Duration earlyRest = ALMOST_DUE;

    DueTasks(NodeContext node, KnownSessions knownSessions, Starter starter) {
        this.node = node;
        this.knownSessions = knownSessions;
        this.starter = starter;
    }

    /**
     * Fires what is due.
     *
     * @param enough read after each batch: whether something else must not wait for the rest
     * @return true: some of it is not quite due yet by the database's clock
     */
    boolean fire(PreparedTasks prepared, Trust trust, BooleanSupplier enough) {
        return fire(prepared, due(prepared), trust, enough);
    }

    private boolean fire(PreparedTasks prepared, List<Claim> first, Trust trust, BooleanSupplier enough) {
        List<Claim> due = starter.loaded(first);
        while (!due.isEmpty()) {
            if (!starter.mayStart()) {
                return false;
            }
            NoSlot withoutSlot = knownSessions.isAlone() ? NoSlot.KEEP : NoSlot.GIVE_BACK;
            StartResult result = starter.fire(trust, due, Duration.ZERO, withoutSlot);
            for (Claim claim : due) {
                if (withoutSlot == NoSlot.KEEP && result.full().contains(claim.id())) {
                    waiting.add(claim.id());
                } else if (!result.early().contains(claim.id())
                        && !result.left().contains(claim.id())
                        && !starter.postponed().has(claim.id())) {
                    waiting.remove(claim.id());
                    prepared.drop(claim.id());
                }
            }
            result.givenBack().forEach(prepared::drop);
            if (!result.early().isEmpty()) {
                return true;
            }
            if (enough.getAsBoolean()) {
                return false;
            }
            due = starter.loaded(due(prepared));
        }
        return false;
    }

    /**
     * Returns what is due and was not tried yet, and as much of what waits for a slot as there are slots. Of what would
     * be skipped for another of its job only one is returned: that may have ended when the next comes. It waits with an
     * older one of its job, which may be a misfire by now.
     */
    private List<Claim> due(PreparedTasks prepared) {
        Instant now = node.clock().now();
        Instant surely = node.clock().earliest();
        int slots = node.slots().free();
        List<Claim> due = new ArrayList<>();
        Set<Long> jobs = new HashSet<>();
        Set<Long> waitingJobs = new HashSet<>();
        LongPredicate isReady = starter.postponed().ready(prepared::contains);
        for (Task task : prepared.dueInTurn(now)) {
            if (task.due().isAfter(now) || due.size() == node.settings().batch()) {
                break;
            }
            if (isOver(task, surely) && isReady.test(task.id())) {
                deadlines.put(
                        task.id(), surely.plus(longer(MISSED_AGAIN, Duration.between(starter.deadline(task), surely))));
                due.add(Claim.fire(task));
            } else if (waiting.contains(task.id()) && due.size() >= slots) {
                waitingJobs.add(task.jobId());
            } else if (waitingJobs.contains(task.jobId()) && starter.skips(task)) {
                waiting.add(task.id());
            } else if (isReady.test(task.id())
                    && !starter.awaitsResult(task)
                    && (jobs.add(task.jobId()) || !starter.skips(task))) {
                due.add(Claim.fire(task));
            }
        }
        return due;
    }

    /** Returns whether it waits for a slot, and may not start any more. */
    private boolean isOver(Task task, Instant surely) {
        return waiting.contains(task.id())
                && deadlines
                        .computeIfAbsent(task.id(), id -> starter.deadline(task))
                        .isBefore(surely);
    }

    /** Reports what has waited longest, other than for its slot, of what is due and can be started. */
    void tell(Backlog backlog, PreparedTasks prepared) {
        Instant now = node.clock().now();
        LongPredicate isReady = starter.postponed().ready(prepared::contains);
        for (Task task : prepared.bySoonest()) {
            if (task.due().isAfter(now)) {
                break;
            }
            if (isReady.test(task.id()) && !starter.awaitsResult(task)) {
                BacklogReason why = waiting.contains(task.id()) ? BacklogReason.SLOTS : BacklogReason.PACE;
                backlog.observe(task.due(), why, now, () -> prepared.countDue(now));
                return;
            }
        }
        backlog.nothing();
    }

    /** Returns the number of due tasks that cannot be started now. */
    int heldUp(PreparedTasks prepared) {
        return (int) starter.postponed().items().stream()
                .filter(claim -> prepared.contains(claim.id()))
                .count();
    }

    /** Returns how long nothing can be fired, at most {@code most}. */
    Duration untilNext(PreparedTasks prepared, Duration most) {
        earlyDue = null;
        waiting.removeIf(id -> !prepared.contains(id)); // taken from us, or edited
        deadlines.keySet().retainAll(waiting);
        boolean waits = !waiting.isEmpty();
        node.slots().want(waits);
        Instant now = node.clock().now();
        if (waits && node.slots().haveRoom() && isDue(prepared, now)) {
            return ALMOST_DUE; // slots became free while others were filled
        }
        Duration rest = nextDue(prepared)
                .map(due -> shorter(Duration.between(now, due), most))
                .orElse(most);
        Duration withSlots = waits ? shorter(rest, SLOTS_AGAIN) : rest;
        return awaitsResults ? shorter(withSlots, RESULTS_AGAIN) : withSlots;
    }

    /** Returns whether something is fired once results are recorded. For any thread. */
    boolean awaitsResults() {
        return awaitsResults;
    }

    /** Returns whether something is due by our estimate of the database's clock, which may have been set back. */
    private static boolean isDue(PreparedTasks prepared, Instant now) {
        var soonest = prepared.bySoonest().iterator();
        return soonest.hasNext() && !soonest.next().due().isAfter(now);
    }

    /** Returns the rest after something was early: longer while the same task stays so. */
    Duration untilLessEarly(PreparedTasks prepared) {
        @Nullable Instant next = nextDue(prepared).orElse(null);
        boolean same = next != null && next.equals(earlyDue);
        earlyDue = next;
        earlyRest = same ? shorter(earlyRest.multipliedBy(2), LONG_EARLY) : ALMOST_DUE;
        return earlyRest;
    }

    /** Returns when the next task is due that does not wait for a slot already. */
    private Optional<Instant> nextDue(PreparedTasks prepared) {
        LongPredicate isReady = starter.postponed().ready(prepared::contains);
        Instant now = node.clock().now();
        awaitsResults = false;
        for (Task task : prepared.bySoonest()) {
            if (waiting.contains(task.id()) || !isReady.test(task.id())) {
                continue;
            }
            if (task.due().isAfter(now) || !starter.awaitsResult(task)) {
                return Optional.of(task.due());
            }
            awaitsResults = true;
        }
        return Optional.empty();
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
