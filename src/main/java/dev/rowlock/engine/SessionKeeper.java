package dev.rowlock.engine;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.cluster.Member;
import dev.rowlock.cluster.Sightings;
import dev.rowlock.exec.Uptime;
import dev.rowlock.store.Sessions;
import dev.rowlock.store.Sessions.Seen;
import dev.rowlock.store.Sessions.Vitals;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps this node's session alive, or joins again when it is not; reads the others, the database's clock, and what is asked of this one. */
final class SessionKeeper implements Step {

    private static final Duration AGAIN_SOON = Duration.ofMillis(200);

    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);

    private final Duration heartbeat;
    private final boolean keeps;
    private final Holdings holdings;
    private final Lease lease;
    private final Membership membership;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final Clock hostClock;
    private final Sessions sessions;
    private final Sightings sightings;
    private final Fence fence;
    private final Joining joining;
    private final SessionReaper reaper;
    private final Runnable wakeReaper;
    private final Errands errands;
    private String beating = "";
    /** How often it was renewed, or tried to be, joining included. */
    private long beats;

    /**
     * What the keeper acts on; the host's wall clock is read only to show how wrong it is.
     *
     * @param keeps whether a session whose trust has run out is resumed if it is still in the table, its commands having gone on
     */
    record Parts(
            Duration heartbeat,
            boolean keeps,
            Holdings holdings,
            Lease lease,
            Membership membership,
            DatabaseClock clock,
            LongSupplier nanos,
            Clock hostClock,
            Sessions sessions,
            Sightings sightings,
            Fence fence,
            Joining joining,
            SessionReaper reaper,
            Runnable wakeReaper,
            Errands errands) {}

    SessionKeeper(Parts parts) {
        this.heartbeat = parts.heartbeat;
        this.keeps = parts.keeps;
        this.holdings = parts.holdings;
        this.lease = parts.lease;
        this.membership = parts.membership;
        this.clock = parts.clock;
        this.nanos = parts.nanos;
        this.hostClock = parts.hostClock;
        this.sessions = parts.sessions;
        this.sightings = parts.sightings;
        this.fence = parts.fence;
        this.joining = parts.joining;
        this.reaper = parts.reaper;
        this.wakeReaper = parts.wakeReaper;
        this.errands = parts.errands;
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
                : !membership.isDraining() && joining.join().isPresent();
        if (!alive) {
            return Pass.rest(AGAIN_SOON);
        }
        Duration untilBeat = heartbeat.minusNanos(nanos.getAsLong() - beganNanos);
        Duration untilSuspicion = sightings.untilSuspicion();
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
                    holdings.running());
        }
        errands.run(id, look(id));
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
                holdings.preparedCount(),
                holdings.running(),
                skew,
                membership.isDraining() ? Member.State.STOPPING : Member.State.ALIVE);
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
        membership.saw(seen.members());
        if (reaper.saw(self, seen.members(), sightings.saw(seen.members(), askedNanos, answeredNanos))) {
            wakeReaper.run();
        }
        return seen.asked();
    }
}
