package dev.rowlock.access;

import dev.rowlock.store.session.TokenStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Times at which tokens were used, kept in memory until they are written, so that requests pay nothing for it. */
final class TokenUses {

    /** Minimum time between two writes for one token. */
    private static final Duration OF_ONE = Duration.ofMinutes(1);

    private static final Duration STEP = Duration.ofSeconds(5);

    private final TokenStore store;
    private final LongSupplier nanoTime;
    /** Last use by name of token; only existing tokens, so it stays small. */
    private final Map<String, Long> used = new ConcurrentHashMap<>();

    private final Map<String, Long> written = new ConcurrentHashMap<>();

    TokenUses(TokenStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
    }

    void note(String name) {
        used.put(name, nanoTime.getAsLong());
    }

    /** Writes the uses that are due. A use that cannot be written is left for the next call. */
    Duration write() {
        long now = nanoTime.getAsLong();
        written.values().removeIf(at -> now - at >= OF_ONE.toNanos());
        Map<String, Long> due = new HashMap<>(used);
        due.keySet().removeAll(written.keySet());
        if (!due.isEmpty()) {
            Map<String, Duration> ago = new HashMap<>();
            due.forEach((name, at) -> ago.put(name, Duration.ofNanos(Math.max(0, now - at))));
            store.used(ago);
            due.forEach(used::remove); // unless it was used again meanwhile
            due.keySet().forEach(name -> written.put(name, now));
        }
        return STEP;
    }
}
