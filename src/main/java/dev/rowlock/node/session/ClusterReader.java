package dev.rowlock.node.session;

import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.cluster.store.Sessions.SessionTable;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Signals.Signal;
import java.time.Duration;
import java.util.Optional;

/** Reader of the other sessions and the database's clock, which passes on what it reads. */
final class ClusterReader {

    private final NodeContext node;
    private final Sessions sessions;
    private final KnownSessions knownSessions;
    private final SessionReaper reaper;
    private final FailureDetector failureDetector;

    ClusterReader(
            NodeContext node,
            Sessions sessions,
            KnownSessions knownSessions,
            SessionReaper reaper,
            FailureDetector failureDetector) {
        this.node = node;
        this.sessions = sessions;
        this.knownSessions = knownSessions;
        this.reaper = reaper;
        this.failureDetector = failureDetector;
    }

    /** Reads them, and returns whether there is a request to this session. */
    boolean read(String self) {
        long askedNanos = node.nanos().getAsLong();
        Optional<SessionTable> all = sessions.all(self);
        long answeredNanos = node.nanos().getAsLong();
        if (all.isEmpty()) {
            return false;
        }
        SessionTable seen = all.get();
        node.clock().sample(seen.databaseTime(), askedNanos, answeredNanos);
        node.clock().doubtedByAny(seen.clockDoubted());
        knownSessions.saw(seen.members());
        if (seen.nodeAwaited()) {
            node.signals().tell(Signal.NODE_AWAITED);
        }
        if (node.freezes().saw(seen.rules())) {
            node.signals().tell(Signal.TASKS_FREED);
        }
        if (seen.backfilling()) {
            node.signals().tell(Signal.BACKFILL_OPEN);
        }
        if (reaper.saw(self, seen.members(), failureDetector.saw(seen.members(), askedNanos, answeredNanos))) {
            node.signals().tell(Signal.SESSION_DEAD);
        }
        return seen.asked();
    }

    /** Returns how long no session that stands still can come to be suspected. */
    Duration untilSuspicion() {
        return failureDetector.untilSuspicion();
    }
}
