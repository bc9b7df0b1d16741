package dev.rowlock.node.session;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.SessionIds;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.cluster.store.Sessions.Previous;
import dev.rowlock.cluster.store.Sessions.SessionTable;
import dev.rowlock.exec.Processes;
import dev.rowlock.exec.StopCause;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.session.PreviousSession.Liveness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Join of this node as a new session: the first time, and whenever the last one could no longer be trusted. */
final class Joining {

    private static final Logger log = LoggerFactory.getLogger(Joining.class);

    private final NodeContext node;
    private final Sessions sessions;
    private final KnownSessions knownSessions;
    private final PreviousSession previousSession;
    private final Handover handover;
    private final Processes processes;
    private final SessionGuard guard;
    private volatile @Nullable String taken;

    Joining(
            NodeContext node,
            Sessions sessions,
            KnownSessions knownSessions,
            PreviousSession previousSession,
            Handover handover,
            Processes processes,
            SessionGuard guard) {
        this.node = node;
        this.sessions = sessions;
        this.knownSessions = knownSessions;
        this.previousSession = previousSession;
        this.handover = handover;
        this.processes = processes;
        this.guard = guard;
    }

    /**
     * Makes one attempt.
     *
     * @return empty if it has to be repeated: commands of the previous session are not dead yet, nobody knows whether
     *     the one on another host is, or another daemon has taken our name since we joined first
     * @throws NodeNameTaken another live daemon has our name, and we have never joined
     */
    Optional<Trust> join() {
        boolean dying = processes.running() > 0;
        if (dying) {
            processes.killAll(StopCause.FENCE, Duration.ZERO);
        }
        long askedNanos = node.nanos().getAsLong();
        Optional<SessionTable> seen = sessions.all();
        long answeredNanos = node.nanos().getAsLong();
        if (dying) {
            return Optional.empty();
        }
        List<Previous> previous = new ArrayList<>();
        if (seen.isPresent()) {
            node.clock().sample(seen.get().databaseTime(), askedNanos, answeredNanos);
            try {
                PreviousSession.Finding finding =
                        previousSession.judge(node.settings().node(), seen.get(), askedNanos, answeredNanos);
                if (finding.verdict() == Liveness.UNCERTAIN) {
                    return Optional.empty();
                }
                previous.addAll(finding.previous());
            } catch (NodeNameTaken e) {
                if (!handover.hasJoined()) {
                    throw e;
                }
                await(e);
                return Optional.empty();
            }
        }
        return node.localTasks().lockedWhole(prepared -> join(prepared, previous));
    }

    /** Returns why this node cannot join, if that may last; for people. */
    Optional<String> obstacle() {
        return Optional.ofNullable(taken);
    }

    private void await(NodeNameTaken e) {
        String why = String.valueOf(e.getMessage());
        if (!why.equals(taken)) {
            log.warn("{}; this node joins again when that one is gone", why);
        }
        taken = why;
    }

    private Optional<Trust> join(PreparedTasks prepared, List<Previous> previous) {
        String id = SessionIds.fresh();
        prepared.clear();
        handover.recordAll();
        long askedUptime = Uptime.millis();
        long askedNanos = node.nanos().getAsLong();
        handover.join(id, previous);
        Optional<Trust> trust = node.lease().begin(id, askedNanos, askedUptime);
        trust.ifPresent(this::joined);
        return trust;
    }

    private void joined(Trust trust) {
        taken = null;
        guard.joined(trust);
        node.counts().joined();
        readMembers();
        log.info("joined as node {}, session {}", node.settings().node(), trust.sessionId());
    }

    private void readMembers() {
        long askedNanos = node.nanos().getAsLong();
        sessions.all().ifPresent(seen -> {
            node.clock().sample(seen.databaseTime(), askedNanos, node.nanos().getAsLong());
            knownSessions.saw(seen.members());
            if (node.freezes().saw(seen.rules())) {
                node.signals().tell(Signal.TASKS_FREED);
            }
            if (seen.nodeAwaited()) {
                node.signals().tell(Signal.NODE_AWAITED);
            }
        });
    }
}
