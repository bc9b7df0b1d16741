package dev.rowlock.engine.schedule;

import dev.rowlock.engine.NodeContext;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Signals.Signal;
import dev.rowlock.engine.Step;
import dev.rowlock.store.task.GroupWaits;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes what waits for a group when slots of it become free. It is woken itself by what this node records; for what
 * others record and cannot wake, it looks from time to time.
 */
final class GroupWaking implements Step {

    private static final Logger log = LoggerFactory.getLogger(GroupWaking.class);
    private static final Duration REST = Duration.ofSeconds(2);
    /** So many passes by time go by between two sweeps. */
    private static final int SWEEP = 15;

    private final NodeContext node;
    private final GroupWaits waits;
    private long sweptNanos;

    GroupWaking(NodeContext node, GroupWaits waits) {
        this.node = node;
        this.waits = waits;
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
        int freed = 0;
        if (now - sweptNanos > REST.multipliedBy(SWEEP).toNanos()) {
            sweptNanos = now;
            freed = waits.sweep();
            if (freed > 0) {
                log.info("freed {} slots of groups whose tasks do not execute any more", freed);
            }
        }
        boolean woken = waits.wake() > 0;
        if (woken) {
            node.signals().tell(Signal.TASKS_FREED);
        }
        return woken;
    }
}
