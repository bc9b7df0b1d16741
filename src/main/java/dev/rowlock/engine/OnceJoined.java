package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import dev.rowlock.cluster.Lease.Trust;
import java.time.Duration;

/**
 * Does something once, when this node has joined; it may take long, and is tried again until it succeeds. One node at a
 * time: what the first of them did, the others find done.
 */
public final class OnceJoined implements Step {

    private final Lease lease;
    private final HeldClaim claim;
    private final Runnable work;
    private boolean done;

    public OnceJoined(Lease lease, HeldClaim claim, Runnable work) {
        this.lease = lease;
        this.claim = claim;
        this.work = work;
    }

    @Override
    public Pass runOnce() {
        Trust trust = lease.current().orElse(null);
        if (!done && trust != null && claim.isHeldBy(trust.sessionId())) {
            work.run();
            claim.giveBack();
            done = true;
        }
        return Pass.rest(done ? Duration.ofDays(1) : Duration.ofSeconds(1));
    }
}
