package dev.rowlock.node.scheduler;

import dev.rowlock.db.Database;
import dev.rowlock.freeze.Freeze;
import dev.rowlock.freeze.store.KnownFreezes;
import dev.rowlock.job.backfill.BackfillTurns;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.node.session.KnownSelectors;
import dev.rowlock.task.transition.FreezeWaits;
import dev.rowlock.task.transition.FreezeWaits.WakeProgress;
import dev.rowlock.task.transition.GroupWaits;
import dev.rowlock.task.transition.NodeWaits;
import dev.rowlock.task.transition.StaleWaits;
import dev.rowlock.task.transition.StaleWaits.WaitBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups of what waits for a group when slots of it become free, of what waits for a node like this one, which has
 * joined, has other labels, or takes work again, and of backfills when their turns come. Any such node does it; the
 * first does it for all. It is woken itself by what this node records; for what others record, it looks from time to
 * time.
 */
final class WaitKeeper implements Step {

    private static final Logger log = LoggerFactory.getLogger(WaitKeeper.class);
    private static final Duration REST = Duration.ofSeconds(2);
    /** Time for which a backfill goes on without being heard of; longer than the time between two heartbeats. */
    private static final Duration BACKFILL_HEARD = Duration.ofSeconds(5);

    private static final Duration SWEEP_AGAIN = Duration.ofSeconds(30);
    /** Bound on parts that one sweep of the waits, or one look for what a freeze holds, goes through. */
    private static final int PARTS = 20;

    private final NodeContext node;
    private final KnownSelectors selectors;
    private final GroupWaits ofGroups;
    private final NodeWaits ofNodes;
    private final FreezeWaits ofFreezes;
    private final Database database;
    private final Map<Freeze, WakeProgress> progress = new HashMap<>();
    private final StaleWaits stale;
    private final BackfillTurns backfills;
    private volatile boolean backfilling;
    private volatile long backfillNanos;
    private final AtomicBoolean nodeAwaited = new AtomicBoolean();
    private long sweptNanos;
    private long sweptTo;

    WaitKeeper(NodeContext node, KnownSelectors selectors, Database database) {
        this.node = node;
        this.selectors = selectors;
        this.ofGroups = new GroupWaits(database);
        this.ofNodes = new NodeWaits(database);
        this.ofFreezes = new FreezeWaits(database);
        this.database = database;
        this.stale = new StaleWaits(database);
        this.backfills = new BackfillTurns(database);
        this.sweptNanos = node.nanos().getAsLong();
    }

    /** Notes that tasks wait for some node. */
    void nodeAwaited() {
        nodeAwaited.set(true);
    }

    /** Notes that a backfill waits. */
    void backfillOpen() {
        backfillNanos = node.nanos().getAsLong();
        backfilling = true;
    }

    /** Returns whether a backfill waits, as far as this node has heard. */
    boolean isBackfilling() {
        return backfilling;
    }

    @Override
    public Pass runOnce() {
        if (node.lease().current().isPresent() && node.localTasks().locked(prepared -> wake()) > 0) {
            node.signals().tell(Signal.TASKS_FREED);
        }
        return progress.isEmpty() ? Pass.rest(REST) : Pass.MORE;
    }

    private int wake() {
        int woken = (nodeAwaited.get() ? wakeForNode() : 0) + ofGroups.wake() + wakeFrozen() + backfill();
        long now = node.nanos().getAsLong();
        if (now - sweptNanos > SWEEP_AGAIN.toNanos()) {
            sweptNanos = now;
            sweep();
        }
        return woken;
    }

    private int backfill() {
        if (backfilling && node.nanos().getAsLong() - backfillNanos > BACKFILL_HEARD.toNanos()) {
            backfilling = false;
        }
        return backfilling ? backfills.take() : 0;
    }

    /** Wakes what a node like this one may run. If that fails, it is tried again in the next pass. */
    private int wakeForNode() {
        nodeAwaited.set(false);
        try {
            return wakeThoseOfThisNode();
        } catch (RuntimeException e) {
            nodeAwaited.set(true);
            throw e;
        }
    }

    private int wakeThoseOfThisNode() {
        Set<Integer> wanted = new HashSet<>(ofNodes.awaited());
        wanted.retainAll(selectors.learn(wanted).mine());
        int woken = ofNodes.wake(wanted);
        if (woken > 0) {
            log.info("woke {} tasks that had waited for a node like this one", woken);
        }
        return woken;
    }

    /** Wakes a batch of what freezes held that have ended before their time. */
    private int wakeFrozen() {
        KnownFreezes freezes = node.freezes();
        if (freezes.isStale()) {
            freezes.refresh(database);
        }
        List<Freeze> early =
                freezes.current().all().stream().filter(Freeze::isToBeWoken).toList();
        progress.keySet().retainAll(early);
        int woken = 0;
        for (Freeze freeze : early) {
            WakeProgress next = progress.getOrDefault(freeze, WakeProgress.begin(freeze));
            int looks = 0;
            do {
                next = ofFreezes.wake(freeze, next);
                looks++;
            } while (next.woken() == 0 && !next.isDone() && looks < PARTS);
            woken += next.woken();
            progress.put(freeze, next);
            if (next.isDone()) {
                progress.remove(freeze);
                freezes.refresh(database);
            }
        }
        return woken;
    }

    private void sweep() {
        int freed = ofGroups.sweep();
        if (freed > 0) {
            log.info("freed {} slots of groups whose tasks do not execute any more", freed);
        }
        WaitBatch part;
        int parts = 0;
        do {
            part = stale.sweep(sweptTo);
            sweptTo = part.end();
            parts++;
        } while (part.forgotten() > 0 && part.end() > 0 && parts < PARTS);
    }
}
