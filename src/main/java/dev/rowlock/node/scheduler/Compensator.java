package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.task.Task;
import dev.rowlock.task.transition.Release;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compensation for lost answers to commits: tasks that the table gives to this session but memory does not know in that
 * state are given back, as none of their commands was started. Prepared tasks that were edited, paused, deleted or
 * taken over are forgotten.
 */
final class Compensator implements Step {

    private static final Logger log = LoggerFactory.getLogger(Compensator.class);

    /**
     * Inverse of the share of the time that it may take: its query reads what this session has ended and nobody could
     * purge yet.
     */
    private static final int SHARE = 100;

    private final NodeContext node;
    private final Release release;

    Compensator(NodeContext node, Release release) {
        this.node = node;
        this.release = release;
    }

    @Override
    public Pass runOnce() {
        Duration took = node.localTasks().lockedWhole(this::compare);
        Duration rest = took.multipliedBy(SHARE);
        Duration period = node.settings().heartbeat().multipliedBy(2);
        return Pass.rest(rest.compareTo(period) > 0 ? rest : period);
    }

    /**
     * Compares table and memory, and returns how long it took. Reads the session under the lock, as this node may join
     * again outside of it.
     */
    private Duration compare(PreparedTasks prepared) {
        long beganNanos = node.nanos().getAsLong();
        node.lease().current().ifPresent(trust -> compare(prepared, trust));
        return Duration.ofNanos(node.nanos().getAsLong() - beganNanos);
    }

    private void compare(PreparedTasks prepared, Trust trust) {
        List<Task> all = release.held(trust.sessionId());
        prepared.keepOnly(all.stream().map(task -> task.ref().held()).collect(Collectors.toSet()));
        List<Task> unknown =
                all.stream().filter(held -> !isKnown(prepared, held)).toList();
        if (!unknown.isEmpty()) {
            release.giveBack(unknown);
            node.counts().reset(unknown.size());
            log.info(
                    "gave back {} tasks that the table gave to this node, but that it will not run (it was drained, or"
                            + " an answer of the database was lost): {}",
                    unknown.size(),
                    unknown.stream().map(held -> Long.toString(held.id())).collect(Collectors.joining(" ")));
            node.signals().tell(Signal.TASKS_FREED);
        }
    }

    private boolean isKnown(PreparedTasks prepared, Task held) {
        return held.isExecuting()
                ? node.localTasks().isExecuting(held.ref().held())
                : prepared.contains(held.id(), held.ref().held());
    }
}
