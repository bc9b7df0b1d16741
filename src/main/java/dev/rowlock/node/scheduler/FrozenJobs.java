package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.freeze.CoveringFreezes;
import dev.rowlock.freeze.Freezes;
import dev.rowlock.freeze.FrozenCursor;
import dev.rowlock.freeze.FrozenCursor.CursorRules;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.node.scheduler.MisfireSettler.SettledJobs;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import dev.rowlock.task.transition.FrozenCursors;
import dev.rowlock.task.transition.FrozenCursors.CursorHold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Treatment of what freezes cover, or held, before any of it is prepared: cursors wait for the end, and after it, all
 * that came due is let go. That goes on at the pace of free slots, of which a part is left to what is due in time,
 * however much was held.
 */
final class FrozenJobs {

    /** Inverse of the share of the slots that is left to what no freeze held. */
    private static final int RESERVE = 4;
    /** Time after which one is let go though others take all slots but the reserve. */
    private static final Duration ONE_EACH = Duration.ofSeconds(1);

    /** Time for which what was held is left to the nodes that prefer its stripe. */
    private static final Duration OTHERS_FIRST = Duration.ofSeconds(1);

    private final NodeContext node;
    private final FrozenCursors cursors;
    private final MisfireSettler settler;
    private final DefinitionCache definitionCache;
    private long letGoNanos;
    /** Number of jobs that were let go and may not have started. */
    private long coming;

    private long started;

    FrozenJobs(NodeContext node, FrozenCursors cursors, MisfireSettler settler, DefinitionCache definitionCache) {
        this.node = node;
        this.cursors = cursors;
        this.settler = settler;
        this.definitionCache = definitionCache;
        this.letGoNanos = node.nanos().getAsLong() - ONE_EACH.toNanos();
    }

    /**
     * Result for the tasks of one scan.
     *
     * @param left tasks that may be prepared
     * @param changed whether something was written: there may be more
     * @param heldBack whether some were left for want of slots
     */
    record TreatedTasks(List<Task> left, boolean changed, boolean heldBack) {}

    private static final class ScanSplit {

        final List<Task> left = new ArrayList<>();
        final List<CursorHold> ends = new ArrayList<>();
        /** Cursors, or one of the tasks, of jobs of which all that came due is settled together. */
        final Map<Long, Task> settled = new LinkedHashMap<>();

        /** Jobs that no freeze covers any more. */
        final Set<Long> thawedJobs = new HashSet<>();

        final List<Task> thawed = new ArrayList<>();

        /** Leaves what others prefer to them at first: at the end of a freeze, all that it held is due at once. */
        void leaveToOthers(Set<Integer> own, Instant now) {
            Predicate<Task> isOthers =
                    task -> !own.contains(task.stripe()) && task.due().isAfter(now.minus(OTHERS_FIRST));
            settled.values().removeIf(isOthers);
            thawed.removeIf(isOthers);
        }
    }

    /**
     * Treats the tasks of one scan.
     *
     * @param own the stripes that this node prefers
     * @param due how many tasks are prepared here and due, and wait for a slot
     */
    TreatedTasks treat(Trust trust, List<Task> tasks, Set<Integer> own, int due, Instant now) {
        cursors.refresh();
        Freezes freezes = node.freezes().current();
        if (freezes.areNone() && tasks.stream().noneMatch(task -> task.hold() == Hold.FREEZE)) {
            return new TreatedTasks(tasks, false, false);
        }
        ScanSplit split = new ScanSplit();
        tasks.forEach(task -> divide(split, task, freezes, now));
        split.left.removeIf(task -> task.isFreezable() && split.settled.containsKey(task.jobId()));
        split.leaveToOthers(own, now);
        int most = most(due);
        List<Long> jobs = split.settled.keySet().stream().limit(most).toList();
        SettledJobs done = settler.settleFrozen(trust, jobs, split.thawedJobs, now);
        boolean settled = done.settled();
        done.uncovered().forEach(job -> {
            Task cursor = Objects.requireNonNull(split.settled.get(job));
            split.ends.add(new CursorHold(cursor, FrozenCursor.release(cursor)));
        });
        boolean changed = !split.ends.isEmpty() && cursors.park(trust.sessionId(), split.ends, freezes);
        List<Task> thawed = split.thawed.stream().limit(most - jobs.size()).toList();
        coming += settled ? jobs.size() : 0;
        if (settled || !thawed.isEmpty()) {
            letGoNanos = node.nanos().getAsLong();
        }
        split.left.addAll(thawed);
        return new TreatedTasks(split.left, changed || settled, most < split.settled.size() + split.thawed.size());
    }

    private void divide(ScanSplit split, Task task, Freezes freezes, Instant now) {
        @Nullable
        CachedDefinition job =
                definitionCache.find(task.jobId(), task.version()).orElse(null);
        if (job == null || (!task.cursor() && task.hold() != Hold.FREEZE)) {
            split.left.add(task);
            return;
        }
        Instant at = task.cursor() && task.scheduled().isAfter(now) ? task.scheduled() : now;
        @Nullable CoveringFreezes freeze = freezes.of(job.definition(), at).orElse(null);
        if (freeze == null) {
            split.thawedJobs.add(task.jobId());
        }
        if (task.cursor()) {
            FrozenCursor decision = FrozenCursor.of(task, rules(job), freeze, now);
            switch (decision.action()) {
                case PREPARE -> split.left.add(task);
                case STAY -> {}
                case PARK, RELEASE -> split.ends.add(new CursorHold(task, decision));
                case SETTLE -> split.settled.put(task.jobId(), task);
            }
        } else if (freeze != null) {
            split.left.add(task); // the start holds it again, or misses it
        } else if (task.isOccurrence() && !job.policy().keepsSeveral()) {
            split.settled.putIfAbsent(task.jobId(), task);
        } else {
            split.thawed.add(task);
        }
    }

    private CursorRules rules(CachedDefinition job) {
        return new CursorRules(
                job.policy().keepsSeveral(),
                job.policy().threshold(node.settings().misfireThreshold()),
                job.policy().startDeadline());
    }

    /** Returns how many may be let go now. */
    private int most(int due) {
        long startedNow = node.counts().startedByCause().values().stream()
                .mapToLong(Long::longValue)
                .sum();
        boolean isTime = node.nanos().getAsLong() - letGoNanos >= ONE_EACH.toNanos();
        coming = isTime ? 0 : Math.max(0, coming - (startedNow - started));
        started = startedNow;
        long free = node.slots().free() - due - coming;
        long most = free - node.slots().capacity() / RESERVE;
        return most > 0 ? (int) most : free > 0 && isTime ? 1 : 0;
    }
}
