package dev.rowlock.engine;

import dev.rowlock.engine.session.Fence;
import dev.rowlock.engine.session.Membership;

import dev.rowlock.cluster.Lease;
import dev.rowlock.exec.Processes;
import java.util.Optional;

/** Why a node takes no work. */
public final class Obstacles {

    private final Outage outage;
    private final Membership membership;
    private final Lease lease;
    private final Holdings holdings;
    private final Fence fence;
    private final Processes processes;

    public Obstacles(Outage outage, Membership membership, Lease lease, Holdings holdings, Fence fence, Processes processes) {
        this.outage = outage;
        this.membership = membership;
        this.lease = lease;
        this.holdings = holdings;
        this.fence = fence;
        this.processes = processes;
    }

    /** What is in the way, the first thing first; empty if nothing is. */
    public Optional<String> first(boolean migrated) {
        Optional<String> problem = outage.problem();
        if (problem.isPresent()) {
            return problem.map(text -> text + fence.fate());
        }
        if (!migrated) {
            return Optional.of("the database's schema has not been brought up to date yet");
        }
        if (membership.isDraining()) {
            return Optional.of("this node is stopping");
        }
        if (lease.current().isEmpty()) {
            return Optional.of("this node has not joined yet");
        }
        if (holdings.isClogged()) {
            return Optional.of("the database refuses so many results that nothing more is started; its log says why");
        }
        Optional<String> noProcess = processes.spawnProblem();
        return noProcess.isPresent() || fence.stands() ? noProcess : Optional.of("the guard process is not running");
    }
}
