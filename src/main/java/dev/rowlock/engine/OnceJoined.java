package dev.rowlock.engine;

import dev.rowlock.cluster.Lease;
import java.time.Duration;

/** Does something once, when this node has joined; it may take long, and is tried again until it succeeds. */
public final class OnceJoined implements Step {

    private final Lease lease;
    private final Runnable work;
    private boolean done;

    public OnceJoined(Lease lease, Runnable work) {
        this.lease = lease;
        this.work = work;
    }

    @Override
    public Pass runOnce() {
        if (!done && lease.current().isPresent()) {
            work.run();
            done = true;
        }
        return Pass.rest(done ? Duration.ofDays(1) : Duration.ofSeconds(1));
    }
}
