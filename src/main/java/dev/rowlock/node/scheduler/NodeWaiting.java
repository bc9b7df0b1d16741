package dev.rowlock.node.scheduler;

import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.node.session.KnownSelectors;
import dev.rowlock.task.transition.NodeWaits;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake-ups of what waits for a node like this one, which has joined, has other labels, or takes work again. Any such
 * node does it; the first does it for all.
 */
final class NodeWaiting implements Step {

    private static final Logger log = LoggerFactory.getLogger(NodeWaiting.class);
    private static final Duration REST = Duration.ofMinutes(1);

    private final NodeContext node;
    private final KnownSelectors selectors;
    private final NodeWaits waits;
    private final AtomicBoolean awaited = new AtomicBoolean();

    NodeWaiting(NodeContext node, KnownSelectors selectors, NodeWaits waits) {
        this.node = node;
        this.selectors = selectors;
        this.waits = waits;
    }

    /** Notes that tasks wait for some node. */
    void awaited() {
        awaited.set(true);
    }

    @Override
    public Pass runOnce() {
        if (node.lease().current().isPresent() && awaited.getAndSet(false)) {
            int woken = node.localTasks().locked(prepared -> wake());
            if (woken > 0) {
                log.info("woke {} tasks that had waited for a node like this one", woken);
                node.signals().tell(Signal.TASKS_FREED);
            }
        }
        return Pass.rest(REST);
    }

    private int wake() {
        Set<Integer> wanted = new HashSet<>(waits.awaited());
        wanted.retainAll(selectors.learn(wanted).mine());
        return waits.wake(wanted);
    }
}
