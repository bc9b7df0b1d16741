package dev.rowlock.access;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Limit of how often something may happen to each key: some times at once, and then one more after each period. Memory
 * is bounded: the key that was heard of longest ago is forgotten. For use by several threads.
 */
public final class Allowance {

    private static final int MOST_KEYS = 10_000;

    private final int atOnce;
    private final Duration period;
    private final LongSupplier nanoTime;
    /** When all that a key has spent will be forgiven. */
    private final Map<String, Long> forgivenAt = new Recent<>(MOST_KEYS);

    public Allowance(int atOnce, Duration period, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Returns for how long it may not happen to a key; zero: it may. */
    public synchronized Duration wait(String key) {
        Long at = forgivenAt.isEmpty() ? null : forgivenAt.get(key);
        if (at == null) {
            return Duration.ZERO;
        }
        long debt = at - nanoTime.getAsLong();
        long most = period.multipliedBy(atOnce - 1L).toNanos();
        return debt <= most ? Duration.ZERO : Duration.ofNanos(debt - most);
    }

    /** Notes that it happened. While the key has to wait, that does not make the wait longer. */
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
