package dev.rowlock.engine.schedule;

import dev.rowlock.cluster.DatabaseClock;
import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.engine.LocalTasks;
import dev.rowlock.engine.Pass;
import dev.rowlock.engine.Step;
import dev.rowlock.engine.session.KnownSessions;
import dev.rowlock.store.task.SessionGone;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fires what is due; once a second, or when woken, acquires what comes next and takes over what others left overdue. Sleeps until the next
 * prepared task is due.
 */
public final class Scheduler implements Step {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration WITHOUT_TRUST = Duration.ofMillis(200);
    /** How soon a task is looked at again that is due by our estimate but not by the database's clock. */
    private static final Duration ALMOST_DUE = Duration.ofMillis(2);
    /** Each further look at the same task comes after twice the rest: the database's clock may have leapt since it was read. */
    private static final Duration LONG_EARLY = Duration.ofMillis(100);

    /** How soon what waits for a slot is tried again, if not so many are free before that it is worth a transaction. */
    private static final Duration SLOTS_AGAIN = Duration.ofMillis(50);

    private final LocalTasks localTasks;
    private final Lease lease;
    private final KnownSessions knownSessions;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final Firing firing;
    private final Acquiring acquiring;
    private long polledNanos;
    /** What was next when something was last found to be early. */
    private @Nullable Instant earlyDue;

    private Duration earlyRest = ALMOST_DUE;
    private final AtomicBoolean pollNow = new AtomicBoolean(true);

    public Scheduler(
            LocalTasks localTasks,
            Lease lease,
            KnownSessions knownSessions,
            DatabaseClock clock,
            LongSupplier nanos,
            Firing firing,
            Acquiring acquiring) {
        this.localTasks = localTasks;
        this.lease = lease;
        this.knownSessions = knownSessions;
        this.clock = clock;
        this.nanos = nanos;
        this.firing = firing;
        this.acquiring = acquiring;
    }

    /** There may be something new to acquire: look before the second is over. */
    public void pollSoon() {
        pollNow.set(true);
    }

    /** A command has ended. True: something waits for a slot, and a good part of them is free. May be asked without the turn. */
    public boolean hasRoom() {
        return firing.wantsSlots() && firing.hasRoom();
    }

    /** Commands have ended and are recorded: what was given back for want of a slot may have one. True: there is such. */
    public boolean slotsFreed() {
        if (acquiring.lacksSlots()) {
            pollNow.set(true);
        }
        return pollNow.get();
    }

    @Override
    public Pass runOnce() {
        localTasks.turn.lock();
        try {
            if (knownSessions.isDraining()) {
                return Pass.rest(POLL);
            }
            return lease.current().map(this::round).orElseGet(() -> Pass.rest(WITHOUT_TRUST));
        } catch (SessionGone e) {
            lease.end(e.session());
            return Pass.rest(WITHOUT_TRUST);
        } finally {
            localTasks.turn.unlock();
        }
    }

    private Pass round(Trust trust) {
        if (clock.doubt().isPresent()) {
            return Pass.rest(POLL); // by the database's clock, which says so in every statement, too much would be due
        }
        if (!firing.mayStart()) {
            return Pass.rest(WITHOUT_TRUST); // what is due would make every rest an empty one
        }
        boolean early = firing.fireDue(trust);
        boolean poll = pollNow.getAndSet(false) || acquiring.takeOverIsDue();
        if (poll || nanos.getAsLong() - polledNanos >= POLL.toNanos()) {
            polledNanos = nanos.getAsLong();
            boolean more = acquiring.acquire(trust, firing.heldUp());
            more |= acquiring.mayTakeOver() && firing.takeOver(trust, acquiring.floor());
            if (more) {
                pollNow.set(true);
                return Pass.MORE;
            }
            return untilNext(false);
        }
        return untilNext(early);
    }

    private Pass untilNext(boolean early) {
        if (early) {
            return Pass.rest(untilLessEarly());
        }
        earlyDue = null;
        if (firing.waits() && firing.hasRoom() && firing.isDue()) {
            return Pass.rest(ALMOST_DUE); // slots became free while others were filled
        }
        Instant now = clock.now();
        Duration untilPoll = POLL.minusNanos(nanos.getAsLong() - polledNanos);
        Duration most = firing.wantsSlots() && untilPoll.compareTo(SLOTS_AGAIN) > 0 ? SLOTS_AGAIN : untilPoll;
        Duration rest = Stream.of(firing.nextDue(), acquiring.takeOverAt())
                .flatMap(Optional::stream)
                .min(Instant::compareTo)
                .map(due -> Duration.between(now, due))
                .filter(untilDue -> untilDue.compareTo(most) < 0)
                .orElse(most);
        return Pass.rest(rest);
    }

    /** Short while one task after the other turns out to be due; the longer, the longer the same one does not. */
    private Duration untilLessEarly() {
        Instant next = firing.nextDue().orElse(null);
        boolean same = next != null && next.equals(earlyDue);
        Duration twice = earlyRest.multipliedBy(2);
        earlyDue = next;
        earlyRest = !same ? ALMOST_DUE : twice.compareTo(LONG_EARLY) < 0 ? twice : LONG_EARLY;
        return earlyRest;
    }
}
