package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession.SessionState;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.cluster.store.Sessions.Vitals;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.node.LocalTasks;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Step;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Upkeep of this node's session: renews it, or joins again when it has ended; reads the others, the database's clock,
 * and the requests to this one.
 */
final class SessionKeeper implements Step {

    private static final Duration AGAIN_SOON = Duration.ofMillis(200);

    private final NodeContext node;
    private final Sessions sessions;
    private final Clock hostClock;
    private final SessionGuard guard;
    private final Joining joining;
    private final ClusterReader cluster;
    private final RemoteRequests remoteRequests;
    private String beating = "";
    /** Number of renewals and attempts at them, including the join. */
    private long beats;

    /** @param hostClock read only to show how wrong it is */
    SessionKeeper(
            NodeContext node,
            Sessions sessions,
            Clock hostClock,
            SessionGuard guard,
            Joining joining,
            ClusterReader cluster,
            RemoteRequests remoteRequests) {
        this.node = node;
        this.sessions = sessions;
        this.hostClock = hostClock;
        this.guard = guard;
        this.joining = joining;
        this.cluster = cluster;
        this.remoteRequests = remoteRequests;
    }

    @Override
    public Pass runOnce() {
        Lease lease = node.lease();
        Duration heartbeat = node.settings().heartbeat();
        long beganNanos = node.nanos().getAsLong();
        if (guard.isClosed()) {
            lease.last().ifPresent(closed -> lease.end(closed.sessionId()));
        }
        Optional<Trust> trust = lease.current();
        boolean alive = trust.isPresent()
                ? beat(trust.get())
                : !node.localTasks().isDraining() && joining.join().isPresent();
        if (!alive) {
            return Pass.rest(joining.obstacle().isPresent() ? heartbeat : AGAIN_SOON);
        }
        Duration untilBeat = heartbeat.minusNanos(node.nanos().getAsLong() - beganNanos);
        Duration untilSuspicion = cluster.untilSuspicion();
        return Pass.rest(untilSuspicion.compareTo(untilBeat) < 0 ? untilSuspicion : untilBeat);
    }

    private boolean beat(Trust trust) {
        Lease lease = node.lease();
        String id = trust.sessionId();
        long askedUptime = Uptime.millis();
        long askedNanos = node.nanos().getAsLong();
        if (!sessions.beat(id, nextBeat(id), vitals())) {
            lease.end(id);
            return false;
        }
        guard.renewed(lease.offered(id, askedNanos, askedUptime));
        Optional<Trust> renewed = lease.renew(id, askedNanos, askedUptime);
        remoteRequests.run(id, cluster.read(id));
        return renewed.isPresent();
    }

    private long nextBeat(String id) {
        beats = beating.equals(id) ? beats + 1 : 2;
        beating = id;
        return beats;
    }

    private Vitals vitals() {
        LocalTasks localTasks = node.localTasks();
        long skew = node.clock().isKnown()
                ? Duration.between(node.clock().now(), hostClock.instant()).toMillis()
                : 0;
        return new Vitals(
                localTasks.preparedCount(),
                localTasks.running(),
                skew,
                localTasks.isDraining() ? SessionState.STOPPING : SessionState.ALIVE);
    }
}
