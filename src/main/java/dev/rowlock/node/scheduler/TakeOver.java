package dev.rowlock.node.scheduler;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.PreparedTasks;
import dev.rowlock.node.session.KnownSessions;
import dev.rowlock.task.store.Claim;
import dev.rowlock.task.store.StartResult;
import dev.rowlock.task.transition.ScanFilter;
import dev.rowlock.task.transition.Start;
import dev.rowlock.task.transition.Start.NoSlot;
import dev.rowlock.task.transition.Start.OverdueClaims;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takeover of what others should have fired, at times known from the last scan. */
final class TakeOver {

    private static final Logger log = LoggerFactory.getLogger(TakeOver.class);
    /** Time by which our estimate of the database's clock may be ahead of it. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMillis(20);

    private final NodeContext node;
    private final KnownSessions knownSessions;
    private final Start start;
    private final DefinitionCache definitionCache;
    private final Starter starter;
    private final ScanCursor cursor = new ScanCursor();
    /** Lower bound of the due times of what others should have fired. */
    private Instant floor = Instant.EPOCH;
    /** Note that the last scan found something to take over, or was not made for it. */
    private boolean mayBeThere;
    /**
     * Time at which what it found is to be taken over, unless its owner fires it before; null: it found nothing of the
     * kind.
     */
    private @Nullable Instant at;

    TakeOver(
            NodeContext node,
            KnownSessions knownSessions,
            Start start,
            DefinitionCache definitionCache,
            Starter starter) {
        this.node = node;
        this.knownSessions = knownSessions;
        this.start = start;
        this.definitionCache = definitionCache;
        this.starter = starter;
    }

    /** Notes that nothing has scanned for what others leave. */
    void notScanned() {
        mayBeThere = true;
        at = null;
    }

    /**
     * Notes what a scan has found.
     *
     * @param othersDue since when another session has held a prepared task that is due; null: none does
     * @param earliest lower bound of the due times of such tasks
     */
    void scanned(@Nullable Instant othersDue, Instant earliest, Instant now) {
        floor = earliest;
        @Nullable
        Instant overdue =
                othersDue == null ? null : othersDue.plus(node.settings().takeover());
        mayBeThere = overdue != null && !overdue.isAfter(now);
        at = overdue == null || mayBeThere ? null : overdue.plus(CLOCKS_DIFFER);
    }

    /** Returns whether what the last scan found is to be taken over by now, unless its owner has fired it. */
    boolean isDue() {
        return at != null && !at.isAfter(node.clock().now());
    }

    /** Returns how long until {@link #isDue}, at most {@code most}. */
    Duration untilDue(Duration most) {
        if (at == null) {
            return most;
        }
        Duration left = Duration.between(node.clock().now(), at);
        return left.compareTo(most) < 0 ? left : most;
    }

    /** Takes over what there is, and returns whether more is overdue. */
    Next run(PreparedTasks prepared, Trust trust) {
        int slots = node.slots().free();
        boolean takesNone = knownSessions.selectors().placement().mine().isEmpty();
        if (!mayBeThere || slots <= 0 || takesNone || knownSessions.isAlone() || !starter.mayStart()) {
            return Next.idle();
        }
        int most = Math.min(slots, node.settings().batch());
        OverdueClaims found = start.overdue(
                trust.sessionId(),
                node.settings().takeover(),
                cursor.from(floor),
                most,
                new ScanFilter(
                        definitionCache.notUnderstood().leftOut(),
                        List.of(),
                        starter.postponed().leftOut(),
                        knownSessions.selectors().placement()),
                knownSessions.launchesOf(trust.sessionId()));
        List<Claim> claims = found.claims();
        List<Claim> overdue = starter.loaded(claims);
        boolean goOn = cursor.scannedUpTo(
                found.end(), 2 * overdue.stream().filter(starter::isKnown).count() < claims.size());
        if (claims.isEmpty()) {
            return Next.idle();
        }
        StartResult result = starter.fire(trust, overdue, node.settings().takeover(), NoSlot.GIVE_BACK);
        result.givenBack().forEach(prepared::drop);
        int started = result.started().size();
        if (started > 0) {
            node.counts().tookOver(started);
            log.info("took over {} overdue tasks of other nodes", started);
        }
        boolean more = goOn || (started > 0 && (claims.size() == most || overdue.size() < claims.size()));
        return more ? new Next.MoreDue() : Next.idle();
    }
}
