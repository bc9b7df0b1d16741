package dev.rowlock.node.scheduler;

import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.task.transition.GroupWaits;
import dev.rowlock.task.transition.StaleWaits;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups of what waits for a group when slots of it become free. It is woken itself by what this node records; for
 * what others record, it looks from time to time.
 */
final class GroupWaking implements Step {

    private static final Logger log = LoggerFactory.getLogger(GroupWaking.class);
    private static final Duration REST = Duration.ofSeconds(2);
    /** Number of timed passes between two sweeps. */
    private static final int SWEEP = 15;
    /** Bound on parts of the waits that one sweep looks at, while there is something to forget. */
    private static final int PARTS = 20;

    private final NodeContext node;
    private final GroupWaits waits;
    private final StaleWaits stale;
    private long sweptNanos;
    private long sweptTo;

    GroupWaking(NodeContext node, GroupWaits waits, StaleWaits stale) {
        this.node = node;
        this.waits = waits;
        this.stale = stale;
        this.sweptNanos = node.nanos().getAsLong();
    }

    @Override
    public Pass runOnce() {
        if (node.lease().current().isPresent()) {
            node.localTasks().locked(prepared -> wake());
        }
        return Pass.rest(REST);
    }

    private boolean wake() {
        long now = node.nanos().getAsLong();
        if (now - sweptNanos > REST.multipliedBy(SWEEP).toNanos()) {
            sweptNanos = now;
            sweep();
        }
        boolean woken = waits.wake() > 0;
        if (woken) {
            node.signals().tell(Signal.TASKS_FREED);
        }
        return woken;
    }

    private void sweep() {
        int freed = waits.sweep();
        if (freed > 0) {
            log.info("freed {} slots of groups whose tasks do not execute any more", freed);
        }
        StaleWaits.Part part;
        int parts = 0;
        do {
            part = stale.sweep(sweptTo);
            sweptTo = part.end();
            parts++;
        } while (part.forgotten() > 0 && part.end() > 0 && parts < PARTS);
    }
}
