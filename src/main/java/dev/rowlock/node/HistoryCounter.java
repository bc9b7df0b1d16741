package dev.rowlock.node;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.db.Database;
import dev.rowlock.report.count.Counting;
import dev.rowlock.report.count.Counting.CountedBatch;
import dev.rowlock.report.count.Counting.CountingState;
import dev.rowlock.task.history.SoleClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntFunction;

/**
 * Count of what was added to history, on one node at a time: a step is one small transaction, and the rest after it
 * grows with the load of the server. While nothing ends, a pass is two statements that read an index entry each.
 */
public final class HistoryCounter implements Step {

    private static final Duration BETWEEN_PASSES = Duration.ofSeconds(2);
    /**
     * Number of ends between two passes from which on waiting lets the runs of a job share the cost of counting them.
     */
    private static final int MANY = 5_000;

    private static final Duration WHILE_MANY_END = Duration.ofSeconds(8);
    private static final Duration OTHERS_TURN = Duration.ofSeconds(10);
    /** Time within which an end is recorded, or has to be noted. */
    private static final Duration LAG = Duration.ofSeconds(2);

    /** Lag that is tolerated while the server has other things to do. */
    private static final Duration BEHIND = Duration.ofSeconds(5);

    private static final String CLAIM = "counting-claim";

    private final NodeContext node;
    private final Counting counting;
    private final HeldClaim claim;

    private final Pace keepingUp = Pace.ofLargeBatches();
    private final Pace catchingUp = Pace.ofCatchingUp();
    private Pace pace = keepingUp;
    private int counted;
    private boolean begun;
    private boolean lateIsNext;
    private boolean moreToMark;

    public HistoryCounter(NodeContext node, Database database) {
        this.node = node;
        this.counting = new Counting(database);
        this.claim = new HeldClaim(node.nanos(), new SoleClaim(database, CLAIM));
    }

    @Override
    public Pass runOnce() {
        Trust trust = node.lease().current().orElse(null);
        if (trust == null || !node.clock().isKnown() || !claim.isHeldBy(trust.sessionId())) {
            return Pass.rest(OTHERS_TURN);
        }
        if (!begun) {
            counting.begin();
            begun = true;
        }
        long beganNanos = node.nanos().getAsLong();
        if (!step()) {
            Duration rest = counted < MANY ? BETWEEN_PASSES : WHILE_MANY_END;
            counted = 0;
            return Pass.rest(rest);
        }
        long took = node.nanos().getAsLong() - beganNanos;
        return Pass.rest(pace.restAfter(took));
    }

    /** Does one step, and returns whether there is more to do at once. */
    private boolean step() {
        Instant until = node.clock().now().minus(LAG);
        CountingState state = counting.state(until);
        pace = state.newer() && state.at().isBefore(until.minus(BEHIND)) ? catchingUp : keepingUp;
        if (state.noted() && (lateIsNext || !state.newer())) {
            lateIsNext = false;
            return paced(counting::countNoted) || state.newer();
        }
        lateIsNext = true;
        if (!state.newer()) {
            return false;
        }
        if (!moreToMark && until.isAfter(state.mark())) {
            counting.reach(until);
        }
        moreToMark = paced(counting::count);
        return moreToMark || state.noted();
    }

    private boolean paced(IntFunction<CountedBatch> count) {
        long beganNanos = node.nanos().getAsLong();
        CountedBatch done = count.apply(pace.rows());
        pace.took(done.rows(), node.nanos().getAsLong() - beganNanos);
        counted += done.rows();
        return done.more();
    }
}
