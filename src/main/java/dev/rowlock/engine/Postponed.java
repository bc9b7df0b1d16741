package dev.rowlock.engine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows with which something went wrong that is not known to be their own fault: this node leaves them out for a moment, so that others have their
 * turn, and tries them again. Nothing of it is in the database. Used by who has the turn.
 */
final class Postponed {

    private static final Logger log = LoggerFactory.getLogger(Postponed.class);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    /** What fails again within this time has been told of. */
    private static final Duration SAID = Duration.ofMinutes(1);

    private final LongSupplier nanos;
    private final Map<Long, Entry> entries = new HashMap<>();

    private record Entry(long failedNanos, long saidNanos) {}

    Postponed(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** @param what for the log, such as {@code task 5 cannot be started} */
    void add(long id, String what, RuntimeException problem) {
        long now = nanos.getAsLong();
        entries.values().removeIf(entry -> now - entry.failedNanos() >= SAID.toNanos());
        Entry former = entries.get(id);
        if (former == null || now - former.saidNanos() >= SAID.toNanos()) {
            log.warn("{} for now, and is tried again", what, problem);
            entries.put(id, new Entry(now, now));
        } else {
            entries.put(id, new Entry(now, former.saidNanos()));
        }
    }

    boolean contains(long id) {
        Entry entry = entries.get(id);
        return entry != null && nanos.getAsLong() - entry.failedNanos() < PAUSE.toNanos();
    }

    /** Those that are left out now. */
    Set<Long> all() {
        return entries.keySet().stream()
                .filter(id -> contains(Objects.requireNonNull(id)))
                .collect(Collectors.toSet());
    }
}
