package dev.rowlock.node;

import dev.rowlock.task.history.SoleClaim;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claim to work that one node of the cluster does at a time, in the name of this node's session: renewed long before it
 * expires. For one thread.
 */
public final class HeldClaim {

    private static final Duration AGAIN = Duration.ofSeconds(20);

    private final LongSupplier nanos;
    private final SoleClaim claim;
    private @Nullable String holder;
    private long askedNanos;

    /** @param nanos the monotonic clock */
    public HeldClaim(LongSupplier nanos, SoleClaim claim) {
        this.nanos = nanos;
        this.claim = claim;
    }

    /** Returns whether this session has the claim, or gets it now. */
    public boolean isHeldBy(String session) {
        if (session.equals(holder) && nanos.getAsLong() - askedNanos < AGAIN.toNanos()) {
            return true;
        }
        holder = null; // unless it is answered
        askedNanos = nanos.getAsLong();
        holder = claim.take(session) ? session : null;
        return holder != null;
    }

    /** Lets another session have it. */
    public void giveBack() {
        if (holder != null) {
            String before = holder;
            holder = null;
            claim.giveBack(before);
        }
    }
}
