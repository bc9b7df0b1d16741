package dev.rowlock.node;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import java.time.Duration;

/**
 * Work that is done once, when this node has joined, and again on request, in steps; a step that fails is retried until
 * it succeeds. One node works at a time: the others find its work done.
 */
public final class OnceJoined implements Step {

    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);
    private static final Duration OTHERS_TURN = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Lease lease;
    private final HeldClaim claim;
    private final Work work;
    private boolean done;

    /** Work that one node of the cluster does at a time. */
    @FunctionalInterface
    public interface Work {

        /** Does some of it, and returns whether there is more to do. */
        boolean step();

        /** Returns whether it is to be done again. Called once a minute when it was done. */
        default boolean again() {
            return false;
        }
    }

    public OnceJoined(Lease lease, HeldClaim claim, Work work) {
        this.lease = lease;
        this.claim = claim;
        this.work = work;
    }

    @Override
    public Pass runOnce() {
        Trust trust = lease.current().orElse(null);
        if (trust == null) {
            return Pass.rest(UNTIL_JOINED);
        }
        done = done && !work.again();
        if (done) {
            return Pass.rest(AGAIN);
        }
        if (!claim.isHeldBy(trust.sessionId())) {
            return Pass.rest(OTHERS_TURN);
        }
        boolean more = false;
        try {
            more = work.step();
            done = !more;
        } finally {
            if (!more) {
                claim.giveBack(); // also if it failed: another node may be able to do it
            }
        }
        return Pass.MORE;
    }
}
