package dev.rowlock.engine;

import dev.rowlock.store.DatabaseUnavailable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether the database answers: said once on the way down and once on the way up. Thread-safe. */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);

    private @Nullable String problem;

    synchronized void noticed(DatabaseUnavailable e) {
        if (problem == null) {
            log.warn("The database is not available; this node goes on trying. {}", e.getMessage());
        }
        problem = e.getMessage();
    }

    synchronized void over() {
        if (problem != null) {
            log.info("The database is available again.");
        }
        problem = null;
    }

    synchronized Optional<String> problem() {
        return Optional.ofNullable(problem).map(text -> "the database is not available: " + text);
    }
}
