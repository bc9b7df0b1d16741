package dev.rowlock.access;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Rate limit per key: a burst, then one more per period. Memory is bounded: the least recently used key is forgotten.
 * Thread-safe.
 */
public final class Allowance {

    private static final int MOST_KEYS = 10_000;

    private final int atOnce;
    private final Duration period;
    private final LongSupplier nanoTime;
    /** Time at which all that a key has spent is forgiven. */
    private final Map<String, Long> forgivenAt = new Recent<>(MOST_KEYS);

    public Allowance(int atOnce, Duration period, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Returns how long a key has to wait; zero if it need not. */
    public synchronized Duration wait(String key) {
        Long at = forgivenAt.isEmpty() ? null : forgivenAt.get(key);
        if (at == null) {
            return Duration.ZERO;
        }
        long debt = at - nanoTime.getAsLong();
        long most = period.multipliedBy(atOnce - 1L).toNanos();
        return debt <= most ? Duration.ZERO : Duration.ofNanos(debt - most);
    }

    /** Spends one of a key's allowance. While the key has to wait, this does not lengthen the wait. */
    public synchronized void spend(String key) {
        long now = nanoTime.getAsLong();
        long before = Math.max(forgivenAt.getOrDefault(key, now) - now, 0);
        long most = period.multipliedBy(atOnce).toNanos();
        forgivenAt.put(key, now + Math.min(most, before + period.toNanos()));
    }

    synchronized int size() {
        return forgivenAt.size();
    }
}
