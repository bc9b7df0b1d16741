package dev.rowlock.engine.session;

import dev.rowlock.cluster.ClusterSession;
import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.FailureDetector;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.exec.Uptime;
import dev.rowlock.store.session.Sessions;
import dev.rowlock.store.session.Sessions.Seen;
import dev.rowlock.store.session.Sessions.Vitals;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps this node's session alive, or joins again when it is not; reads the others, the database's clock, and what is asked of this one. */
public final class SessionKeeper implements Step {

    private static final Duration AGAIN_SOON = Duration.ofMillis(200);

    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);

    private final Duration heartbeat;
    private final boolean keeps;
    private final LocalTasks localTasks;
    private final Lease lease;
    private final KnownSessions knownSessions;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final Clock hostClock;
    private final Sessions sessions;
    private final FailureDetector failureDetector;
    private final Fence fence;
    private final Joining joining;
    private final SessionReaper reaper;
    private final Runnable wakeReaper;
    private final RemoteRequests remoteRequests;
    private String beating = "";
    /** How often it was renewed, or tried to be, joining included. */
    private long beats;

    /**
     * What the keeper acts on; the host's wall clock is read only to show how wrong it is.
     *
     * @param keeps whether a session whose trust has run out is resumed if it is still in the table, its commands having gone on
     */
    public record Parts(
            Duration heartbeat,
            boolean keeps,
            LocalTasks localTasks,
            Lease lease,
            KnownSessions knownSessions,
            DatabaseClock clock,
            LongSupplier nanos,
            Clock hostClock,
            Sessions sessions,
            FailureDetector failureDetector,
            Fence fence,
            Joining joining,
            SessionReaper reaper,
            Runnable wakeReaper,
            RemoteRequests remoteRequests) {}

    public SessionKeeper(Parts parts) {
        this.heartbeat = parts.heartbeat;
        this.keeps = parts.keeps;
        this.localTasks = parts.localTasks;
        this.lease = parts.lease;
        this.knownSessions = parts.knownSessions;
        this.clock = parts.clock;
        this.nanos = parts.nanos;
        this.hostClock = parts.hostClock;
        this.sessions = parts.sessions;
        this.failureDetector = parts.failureDetector;
        this.fence = parts.fence;
        this.joining = parts.joining;
        this.reaper = parts.reaper;
        this.wakeReaper = parts.wakeReaper;
        this.remoteRequests = parts.remoteRequests;
    }

    @Override
    public Pass runOnce() {
        long beganNanos = nanos.getAsLong();
        if (fence.isClosed()) {
            lease.last().ifPresent(closed -> lease.end(closed.sessionId()));
        }
        Optional<Trust> trust = keeps ? lease.last() : lease.current();
        boolean alive = trust.isPresent()
                ? beat(trust.get())
                : !knownSessions.isDraining() && joining.join().isPresent();
        if (!alive) {
            return Pass.rest(AGAIN_SOON);
        }
        Duration untilBeat = heartbeat.minusNanos(nanos.getAsLong() - beganNanos);
        Duration untilSuspicion = failureDetector.untilSuspicion();
        return Pass.rest(untilSuspicion.compareTo(untilBeat) < 0 ? untilSuspicion : untilBeat);
    }

    private boolean beat(Trust trust) {
        String id = trust.sessionId();
        long askedUptime = Uptime.millis();
        long askedNanos = nanos.getAsLong();
        boolean runOut = lease.current().isEmpty();
        if (!sessions.beat(id, nextBeat(id), vitals())) {
            lease.end(id);
            return false;
        }
        fence.renewed(lease.offered(id, askedNanos, askedUptime));
        Optional<Trust> renewed =
                keeps ? lease.resume(id, askedNanos, askedUptime) : lease.renew(id, askedNanos, askedUptime);
        if (runOut && renewed.isPresent()) {
            log.info(
                    "nobody has expired session {} meanwhile: it goes on, and so do {} commands",
                    id,
                    localTasks.running());
        }
        remoteRequests.run(id, look(id));
        return renewed.isPresent();
    }

    private long nextBeat(String id) {
        beats = beating.equals(id) ? beats + 1 : 2;
        beating = id;
        return beats;
    }

    private Vitals vitals() {
        long skew = clock.isKnown()
                ? Duration.between(clock.now(), hostClock.instant()).toMillis()
                : 0;
        return new Vitals(
                localTasks.preparedCount(),
                localTasks.running(),
                skew,
                knownSessions.isDraining() ? ClusterSession.State.STOPPING : ClusterSession.State.ALIVE);
    }

    /** True if somebody asks something of this session. */
    private boolean look(String self) {
        long askedNanos = nanos.getAsLong();
        Optional<Seen> all = sessions.all(self);
        long answeredNanos = nanos.getAsLong();
        if (all.isEmpty()) {
            return false;
        }
        Seen seen = all.get();
        clock.sample(seen.databaseTime(), askedNanos, answeredNanos);
        clock.doubtedByAny(seen.clockDoubted());
        knownSessions.saw(seen.members());
        if (reaper.saw(self, seen.members(), failureDetector.saw(seen.members(), askedNanos, answeredNanos))) {
            wakeReaper.run();
        }
        return seen.asked();
    }
}
