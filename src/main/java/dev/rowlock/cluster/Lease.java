package dev.rowlock.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trust that this node may put in its own session, counted from when a renewal was <em>asked for</em>, so that a slow
 * answer never lengthens it. Once it has run out it does not come back for the same session. Thread-safe.
 */
public final class Lease {

    /** @param deadlineUptimeMillis the same moment on the machine's uptime, for processes outside the JVM */
    public record Trust(String sessionId, long untilNanos, long deadlineUptimeMillis) {}

    private final LongSupplier nanos;
    private final Duration fence;
    private @Nullable Trust trust;

    public Lease(LongSupplier nanos, Duration fence) {
        this.nanos = nanos;
        this.fence = fence;
    }

    /**
     * Begins the trust in a session that joined, counted from when joining was asked for. Returns empty if that is
     * already too long ago.
     */
    public synchronized Optional<Trust> begin(String sessionId, long askedNanos, long askedUptimeMillis) {
        trust = trustFrom(sessionId, askedNanos, askedUptimeMillis);
        return current();
    }

    /**
     * Renews the trust after an answered heartbeat. Returns empty if it had run out before, or the session is another
     * by now.
     */
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

    /** Ends the trust in a session known to be gone. Harmless if the node has joined as another meanwhile. */
    public synchronized void end(String sessionId) {
        if (trust != null && trust.sessionId().equals(sessionId)) {
            trust = null;
        }
    }

    /** Returns the trust in the session, while it lasts. */
    public synchronized Optional<Trust> current() {
        return Optional.ofNullable(trust).filter(t -> nanos.getAsLong() - t.untilNanos() < 0);
    }

    /** Returns the last trust, run out or not; empty before the first and once the session is known to be gone. */
    public synchronized Optional<Trust> last() {
        return Optional.ofNullable(trust);
    }

    /** Returns the trust that a renewal asked for at that moment would give. */
    public Trust offered(String sessionId, long askedNanos, long askedUptimeMillis) {
        return trustFrom(sessionId, askedNanos, askedUptimeMillis);
    }

    private Trust trustFrom(String sessionId, long askedNanos, long askedUptimeMillis) {
        return new Trust(sessionId, askedNanos + fence.toNanos(), askedUptimeMillis + fence.toMillis());
    }
}
