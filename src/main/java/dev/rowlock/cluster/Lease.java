package dev.rowlock.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The trust that this node may put in its own session. It is counted from when a renewal was <em>asked for</em>, on the monotonic clock, so
 * that a slow answer never lengthens it; once it has run out it never comes back for the same session. Thread-safe.
 */
public final class Lease {

    /**
     * One renewal.
     *
     * @param untilNanos on the monotonic clock
     * @param deadlineUptimeMillis the same moment on the machine's uptime, for processes outside the JVM
     */
    public record Trust(String sessionId, long untilNanos, long deadlineUptimeMillis) {}

    private final LongSupplier nanos;
    private final Duration fence;
    private @Nullable Trust trust;

    public Lease(LongSupplier nanos, Duration fence) {
        this.nanos = nanos;
        this.fence = fence;
    }

    /** The session joined: trust begins, counted from when joining was asked for. Empty if that is already too long ago. */
    public synchronized Optional<Trust> begin(String sessionId, long askedNanos, long askedUptimeMillis) {
        trust = trustFrom(sessionId, askedNanos, askedUptimeMillis);
        return current();
    }

    /** The heartbeat was answered: trust is extended. Empty if it had run out before the answer came, or the session is another by now. */
    public synchronized Optional<Trust> renew(String sessionId, long askedNanos, long askedUptimeMillis) {
        Optional<Trust> held = current();
        if (held.isEmpty() || !held.get().sessionId().equals(sessionId)) {
            return Optional.empty();
        }
        Trust renewed = trustFrom(sessionId, askedNanos, askedUptimeMillis);
        if (renewed.untilNanos() - held.get().untilNanos() > 0) {
            trust = renewed;
        }
        return current();
    }

    /** The session is known to be gone. */
    public synchronized void end() {
        trust = null;
    }

    /** The session, while it may be trusted. */
    public synchronized Optional<Trust> current() {
        return Optional.ofNullable(trust).filter(t -> nanos.getAsLong() - t.untilNanos() < 0);
    }

    /** The last trust there was, run out or not; empty before the first and once the session is known to be gone. */
    public synchronized Optional<Trust> last() {
        return Optional.ofNullable(trust);
    }

    private Trust trustFrom(String sessionId, long askedNanos, long askedUptimeMillis) {
        return new Trust(sessionId, askedNanos + fence.toNanos(), askedUptimeMillis + fence.toMillis());
    }
}
