package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.store.Sessions.Previous;
import dev.rowlock.cluster.store.Sessions.SessionTable;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.process.OrphanSweep;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judgement on a session of another process that already has this node's name: a previous one that can be ended, or
 * another daemon's. One of this very process is nobody else's, whatever its id: a server that lags behind, or was
 * restored, may show one that ended long ago.
 */
final class PreviousSession {

    private static final Logger log = LoggerFactory.getLogger(PreviousSession.class);

    private final ClusterSession.Host self;
    private final FailureDetector failureDetector;
    private FailureDetector.@Nullable Suspect lastSeen;

    /** @param failureDetector of its own: it counts from the first call */
    PreviousSession(ClusterSession.Host self, FailureDetector failureDetector) {
        this.self = self;
        this.failureDetector = failureDetector;
    }

    enum Liveness {
        /** Name that no other process has. */
        NONE,
        /** Dead session, of which nothing runs any more. */
        DEAD,
        /** Session that may live: its process cannot be seen from here, and its beat may only be late. */
        UNCERTAIN
    }

    record Finding(Liveness verdict, List<Previous> previous) {}

    /**
     * Judges the session with this name.
     *
     * @throws NodeNameTaken it is alive
     */
    Finding judge(String node, SessionTable seen, long askedNanos, long answeredNanos) {
        List<FailureDetector.Suspect> suspects = failureDetector.saw(seen.members(), askedNanos, answeredNanos);
        Optional<ClusterSession> named = seen.members().stream()
                .filter(m -> m.node().equals(node) && !m.host().isSameProcess(self))
                .findFirst();
        if (named.isEmpty()) {
            return new Finding(Liveness.NONE, List.of());
        }
        ClusterSession other = named.get();
        if (other.host().bootId().equals(self.bootId())) {
            switch (HostIdentity.presenceOf(other.host().pid(), other.host().pidStart())) {
                case ALIVE -> throw new NodeNameTaken(other);
                case GONE -> {
                    return ended(other);
                }
                case UNKNOWN ->
                    log.debug(
                            "whether process {} is there cannot be seen",
                            other.host().pid());
            }
        }
        FailureDetector.@Nullable Suspect before = lastSeen;
        lastSeen = new FailureDetector.Suspect(other.id(), other.beat());
        if (before != null && before.sessionId().equals(other.id()) && before.beat() != other.beat()) {
            throw new NodeNameTaken(other);
        }
        boolean still = suspects.stream().anyMatch(s -> s.sessionId().equals(other.id()));
        return still
                ? new Finding(Liveness.DEAD, List.of(Previous.ofAnother(other.id(), other.beat())))
                : new Finding(Liveness.UNCERTAIN, List.of());
    }

    private static Finding ended(ClusterSession other) {
        int killed = OrphanSweep.killSession(other.id());
        log.info("ended {}, the previous session of this node; {}", other.id(), OrphanSweep.said(killed));
        return new Finding(Liveness.DEAD, List.of(Previous.ofAnother(other.id(), other.beat())));
    }
}
