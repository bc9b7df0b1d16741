package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Does something once, when this node has joined, in steps; what fails is tried again until it succeeds. One node at a
 * time: what the first of them did, the others find done.
 */
public final class OnceJoined implements Step {

    private static final Duration UNTIL_JOINED = Duration.ofSeconds(1);
    private static final Duration OTHERS_TURN = Duration.ofSeconds(10);

    private final Lease lease;
    private final HeldClaim claim;
    private final BooleanSupplier step;
    private boolean done;

    /** @param step answers whether there is more to do */
    public OnceJoined(Lease lease, HeldClaim claim, BooleanSupplier step) {
        this.lease = lease;
        this.claim = claim;
        this.step = step;
    }

    @Override
    public Pass runOnce() {
        Trust trust = lease.current().orElse(null);
        if (done) {
            return Pass.rest(Duration.ofDays(1));
        }
        if (trust == null) {
            return Pass.rest(UNTIL_JOINED);
        }
        if (!claim.isHeldBy(trust.sessionId())) {
            return Pass.rest(OTHERS_TURN);
        }
        boolean more = false;
        try {
            more = step.getAsBoolean();
            done = !more;
        } finally {
            if (!more) {
                claim.giveBack(); // also if it failed: another node may be able to do it
            }
        }
        return Pass.MORE;
    }
}
