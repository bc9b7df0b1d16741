package dev.rowlock.engine.session;

import dev.rowlock.cluster.Lease;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Outage;
import dev.rowlock.exec.Processes;
import java.util.Optional;

/** Why a node takes no work. */
public final class Readiness {

    private final Outage outage;
    private final KnownSessions knownSessions;
    private final Lease lease;
    private final LocalTasks localTasks;
    private final Fence fence;
    private final Processes processes;

    public Readiness(
            Outage outage,
            KnownSessions knownSessions,
            Lease lease,
            LocalTasks localTasks,
            Fence fence,
            Processes processes) {
        this.outage = outage;
        this.knownSessions = knownSessions;
        this.lease = lease;
        this.localTasks = localTasks;
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
        if (knownSessions.isDraining()) {
            return Optional.of("this node is stopping");
        }
        if (lease.current().isEmpty()) {
            return Optional.of("this node has not joined yet");
        }
        if (localTasks.isClogged()) {
            return Optional.of("the database refuses so many results that nothing more is started; its log says why");
        }
        Optional<String> noProcess = processes.spawnProblem();
        return noProcess.isPresent() || fence.stands() ? noProcess : Optional.of("the guard process is not running");
    }
}
