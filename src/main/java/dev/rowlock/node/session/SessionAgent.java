package dev.rowlock.node.session;

import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.node.Connections;
import dev.rowlock.node.EngineSettings;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Outage;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.node.recorder.ResultAgent;
import dev.rowlock.task.rerun.Requests;
import dev.rowlock.task.store.SelectorStore;
import dev.rowlock.task.transition.Release;
import java.nio.file.Path;
import java.time.Clock;

/**
 * Agent that keeps this node in the cluster, on a connection of its own: joins, beats, leaves, expires others, and ends
 * its commands when it cannot trust its session any more.
 */
public final class SessionAgent {

    private final NodeContext node;
    private final ResultAgent results;
    private final SessionGuard guard;
    private final KnownSessions known;
    private final PreviousSessions previousSessions;
    private final Fence fence;
    private final Sessions sessions;
    private final Departure departure;
    private final Joining joining;
    private final SessionKeeper keeper;

    /**
     * Adds its loops to those of the node, except the {@link #keeper}, which needs the schema.
     *
     * @param hostClock read only to show how wrong it is
     */
    public SessionAgent(
            NodeContext node,
            Identity identity,
            Connections connections,
            ResultAgent results,
            SessionGuard guard,
            Path dataDir,
            Clock hostClock) {
        this.node = node;
        this.results = results;
        this.guard = guard;
        this.known = new KnownSessions(node.settings(), node.slots(), new SelectorStore(connections.engine()));
        this.previousSessions = new PreviousSessions(dataDir.resolve("sessions"), identity.host());
        this.fence = new Fence(node, results.processes(), guard);
        this.sessions = new Sessions(connections.engine(), results.finish());
        this.departure = new Departure(node, new Release(connections.engine()), sessions, results.recorder());
        SessionReaper reaper = new SessionReaper(identity.host(), node, sessions);
        this.joining = joining(identity);
        this.keeper = keeper(connections, reaper, hostClock);
        node.signals().listen(Signal.SESSION_DEAD, node.loops().add("reaper", reaper));
        node.loops().add("fence", fence);
    }

    private Joining joining(Identity identity) {
        Handover handover =
                new Handover(node, identity, sessions, results.recorder(), previousSessions, results.outputs()::joined);
        return new Joining(
                node,
                sessions,
                known,
                new PreviousSession(identity.host(), failureDetector()),
                handover,
                results.processes(),
                guard);
    }

    private SessionKeeper keeper(Connections connections, SessionReaper reaper, Clock hostClock) {
        Sessions heart = new Sessions(connections.heart(), results.finish());
        return new SessionKeeper(
                node,
                heart,
                hostClock,
                guard,
                joining,
                new ClusterReader(node, heart, known, reaper, failureDetector()),
                new RemoteRequests(new Requests(connections.heart()), results.processes(), results.outputs()));
    }

    private FailureDetector failureDetector() {
        EngineSettings settings = node.settings();
        return new FailureDetector(settings.timeout(), settings.fence().dividedBy(2));
    }

    /** Ends what the previous session of this node left running. */
    public void sweep() {
        int unused = previousSessions.sweep();
    }

    /**
     * Returns the step that joins and beats; before the first join, it throws {@link NodeNameTaken} if another live
     * node has this name.
     */
    public Step keeper() {
        return keeper;
    }

    public SessionGuard guard() {
        return guard;
    }

    public KnownSessions known() {
        return known;
    }

    public Departure departure() {
        return departure;
    }

    /** Returns how many tasks of ended sessions this node has recorded as lost. */
    public long lost() {
        return sessions.lost();
    }

    /** Returns the readiness of this node. */
    public Readiness readiness(Outage outage) {
        return new Readiness(node, outage, fence, guard, results.processes(), known, joining);
    }
}
