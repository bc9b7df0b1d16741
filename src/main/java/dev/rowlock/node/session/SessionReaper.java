package dev.rowlock.node.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.FailureDetector.Suspect;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.store.SessionEnd.HeldPosition;
import dev.rowlock.cluster.store.Sessions;
import dev.rowlock.exec.HostIdentity;
import dev.rowlock.exec.HostIdentity.ProcessExistence;
import dev.rowlock.exec.process.OrphanSweep;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.task.store.SessionGone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expiry of sessions whose beat has stood still for longer than the timeout, and at once of those of this host whose
 * process is gone, after killing what they left. What they executed is lost; what they prepared is idle again.
 */
final class SessionReaper implements Step {

    private static final Logger log = LoggerFactory.getLogger(SessionReaper.class);
    private static final Duration REST = Duration.ofSeconds(1);
    private static final Duration ORPHANS_AGAIN = Duration.ofSeconds(30);

    private final ClusterSession.Host self;
    private final NodeContext node;
    private final Sessions sessions;
    private final Map<String, Death> dead = new ConcurrentHashMap<>();
    private long orphansNanos;
    /** Session that has searched for tasks without one, and need not soon again. */
    private String searchedAs = "";

    private record Death(String id, String node, long beat, boolean ofThisHost) {}

    SessionReaper(ClusterSession.Host self, NodeContext node, Sessions sessions) {
        this.self = self;
        this.node = node;
        this.sessions = sessions;
    }

    /** Notes the sessions to be expired, and returns whether there are any. */
    boolean saw(String own, List<ClusterSession> members, List<Suspect> suspects) {
        dead.clear();
        for (ClusterSession member : members) {
            boolean standsStill = suspects.stream().anyMatch(s -> s.sessionId().equals(member.id()));
            boolean gone = isGone(member);
            if (!member.id().equals(own) && (gone || standsStill)) {
                dead.put(member.id(), new Death(member.id(), member.node(), member.beat(), gone));
            }
        }
        return !dead.isEmpty();
    }

    @Override
    public Pass runOnce() {
        Optional<Trust> trust = node.lease().current();
        if (trust.isPresent()) {
            for (Death death : new ArrayList<>(dead.values())) {
                expire(trust.get(), death);
            }
            settleOrphaned(trust.get());
        }
        return Pass.rest(REST);
    }

    private boolean isGone(ClusterSession member) {
        return member.host().bootId().equals(self.bootId())
                && HostIdentity.presenceOf(member.host().pid(), member.host().pidStart()) == ProcessExistence.GONE;
    }

    private void expire(Trust trust, Death death) {
        if (death.ofThisHost()) {
            int killed = OrphanSweep.killSession(death.id());
            log.info("the daemon of node {} on this host is gone; {}", death.node(), OrphanSweep.said(killed));
        }
        String reason = death.ofThisHost()
                ? "the daemon of node " + death.node() + " died"
                : "node " + death.node() + " was not heard of for longer than the session timeout";
        searchedAs = ""; // it may leave more than one transaction takes
        boolean expired = locked(() -> sessions.expire(trust.sessionId(), death.id(), death.beat(), reason));
        dead.remove(death.id());
        if (expired) {
            node.counts().expired();
            log.warn("expired session {}: {}", death.id(), reason);
            node.signals().tell(Signal.TASKS_FREED);
        }
    }

    private void settleOrphaned(Trust trust) {
        String self = trust.sessionId();
        long now = node.nanos().getAsLong();
        if (searchedAs.equals(self) && now - orphansNanos < ORPHANS_AGAIN.toNanos()) {
            return;
        }
        List<String> orphaned = locked(sessions::orphaned);
        for (String id : orphaned) {
            settle(self, id);
            log.info("settled the tasks that session {} left behind", id);
            node.signals().tell(Signal.TASKS_FREED);
        }
        searchedAs = self;
        orphansNanos = now;
    }

    /** Settles a session's tasks. The lock is free between two batches, so that what is due is not delayed. */
    private void settle(String self, String id) {
        Optional<HeldPosition> last = Optional.of(HeldPosition.FIRST);
        while (last.isPresent()) {
            HeldPosition after = last.get();
            last = locked(() -> sessions.settle(self, id, after));
        }
    }

    /** Does work under the lock, as it uses the scheduling connection. */
    private <T> T locked(Supplier<T> work) {
        try {
            return node.localTasks().locked(prepared -> work.get());
        } catch (SessionGone e) {
            node.lease().end(e.session());
            throw e;
        }
    }
}
