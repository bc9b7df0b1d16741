package dev.rowlock.node.session;

import dev.rowlock.exec.Processes;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Outage;
import java.util.Optional;

/** Readiness of a node: why it takes no work. */
public final class Readiness {

    private final NodeContext node;
    private final Outage outage;
    private final Fence fence;
    private final SessionGuard guard;
    private final Processes processes;
    private final KnownSessions knownSessions;
    private final Joining joining;

    Readiness(
            NodeContext node,
            Outage outage,
            Fence fence,
            SessionGuard guard,
            Processes processes,
            KnownSessions knownSessions,
            Joining joining) {
        this.knownSessions = knownSessions;
        this.node = node;
        this.outage = outage;
        this.fence = fence;
        this.guard = guard;
        this.processes = processes;
        this.joining = joining;
    }

    /**
     * Returns the first obstacle; empty if there is none.
     *
     * @param schema problem of the tables, if any
     */
    public Optional<String> first(Optional<String> schema) {
        Optional<String> problem = outage.problem();
        if (problem.isPresent()) {
            return problem.map(text -> text + fence.fate());
        }
        if (schema.isPresent()) {
            return schema;
        }
        if (node.localTasks().isDraining()) {
            return Optional.of("this node is stopping");
        }
        if (node.lease().current().isEmpty()) {
            return joining.obstacle().or(() -> Optional.of("this node has not joined yet"));
        }
        if (knownSessions.isDrained()) {
            return Optional.of("draining: somebody drained this node; POST /api/v1/cluster/nodes/"
                    + node.settings().node() + "/undrain lets it take work again");
        }
        if (node.localTasks().isClogged()) {
            return Optional.of("the database refuses so many results that nothing more is started; its log says why");
        }
        Optional<String> noProcess = processes.spawnProblem();
        return noProcess.isPresent() || guard.stands() ? noProcess : Optional.of("the guard process is not running");
    }
}
