package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.Step;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.store.SessionGone;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Scheduling of this node: fires what is due; once a second, or when woken, acquires what comes next and takes over
 * what others left overdue. All that it uses is touched by it alone, under the lock of what is prepared.
 */
final class Scheduler implements Step {

    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration WITHOUT_TRUST = Duration.ofMillis(200);

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final Starter starter;
    private final DueTasks dueTasks;
    private final Acquirer acquirer;
    private final TakeOver takeOver;
    private final Backlog backlog;
    private long polledNanos;
    private Next left = Next.idle();
    private boolean wasDrained;
    private final AtomicBoolean pollNow = new AtomicBoolean(true);

    Scheduler(
            NodeContext node,
            KnownSessions knownSessions,
            Starter starter,
            DueTasks dueTasks,
            Acquirer acquirer,
            TakeOver takeOver,
            Backlog backlog) {
        this.knownSessions = knownSessions;
        this.node = node;
        this.starter = starter;
        this.dueTasks = dueTasks;
        this.acquirer = acquirer;
        this.takeOver = takeOver;
        this.backlog = backlog;
    }

    /** Requests a poll before the second is over, as there may be something new to acquire. */
    void pollSoon() {
        pollNow.set(true);
    }

    /** Returns whether it will acquire at its next pass, however soon that is. */
    boolean pollsSoon() {
        return pollNow.get();
    }

    /** Returns whether it fires more once results are recorded. */
    boolean awaitsResults() {
        return dueTasks.awaitsResults();
    }

    @Override
    public Pass runOnce() {
        try {
            return node.localTasks().locked(this::runOnce);
        } catch (SessionGone e) {
            node.lease().end(e.session());
            return Pass.rest(WITHOUT_TRUST);
        }
    }

    private Pass runOnce(PreparedTasks prepared) {
        Optional<Trust> trust = node.lease().current();
        if (node.localTasks().isDraining() || trust.isEmpty()) {
            backlog.nothing();
            return Pass.rest(trust.isEmpty() ? WITHOUT_TRUST : POLL);
        }
        return schedule(prepared, trust.get());
    }

    private Pass schedule(PreparedTasks prepared, Trust trust) {
        if (node.clock().doubt().isPresent()) {
            backlog.nothing();
            return Pass.rest(POLL); // by the database's clock, which says so in every statement, too much would be due
        }
        if (!starter.mayStart()) {
            return Pass.rest(WITHOUT_TRUST); // what is due would make every rest an empty one
        }
        if (!wasDrained && knownSessions.isDrained()) {
            prepared.clear(); // it has been given back
        }
        wasDrained = knownSessions.isDrained();
        left = fireAndAcquire(prepared, trust);
        if (left instanceof Next.MoreDue) {
            pollNow.set(true);
        }
        return left.pass();
    }

    private Next fireAndAcquire(PreparedTasks prepared, Trust trust) {
        boolean early = dueTasks.fire(prepared, trust, this::isPollDue);
        if (!(left instanceof Next.MoreAhead) && !isPollDue()) {
            return new Next.IdleFor(early ? dueTasks.untilLessEarly(prepared) : untilNext(prepared));
        }
        pollNow.set(false);
        polledNanos = node.nanos().getAsLong();
        Next acquired = acquirer.acquire(prepared, trust, dueTasks.heldUp(prepared));
        dueTasks.tell(backlog, prepared); // what was late before it was prepared, too
        Next more = takeOver.run(prepared, trust).or(acquired);
        return more instanceof Next.IdleFor ? new Next.IdleFor(untilNext(prepared)) : more;
    }

    private Duration untilNext(PreparedTasks prepared) {
        return dueTasks.untilNext(prepared, takeOver.untilDue(POLL.minus(sincePoll())));
    }

    /**
     * Returns whether to acquire now. What is due and was not prepared in time must not wait until all that was is
     * fired.
     */
    private boolean isPollDue() {
        return pollNow.get() || takeOver.isDue() || sincePoll().compareTo(POLL) >= 0;
    }

    private Duration sincePoll() {
        return Duration.ofNanos(node.nanos().getAsLong() - polledNanos);
    }
}
