package dev.rowlock.engine;

import dev.rowlock.store.DatabaseUnavailable;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the database answers all loops: said once on the way down, when the first of them gets no answer, and once on the way up, when the
 * last of these has come through a round again. Thread-safe.
 */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);

    private final Set<String> unanswered = new HashSet<>();
    private @Nullable String problem;

    /** @param loop which of the loops got no answer */
    synchronized void noticed(String loop, DatabaseUnavailable e) {
        if (unanswered.isEmpty()) {
            log.warn("The database is not available; this node goes on trying. {}", e.getMessage());
        }
        unanswered.add(loop);
        problem = e.getMessage();
    }

    /** That loop has come through a round. */
    synchronized void over(String loop) {
        if (unanswered.remove(loop) && unanswered.isEmpty()) {
            log.info("The database is available again.");
            problem = null;
        }
    }

    synchronized Optional<String> problem() {
        return Optional.ofNullable(problem).map(text -> "the database is not available: " + text);
    }
}
