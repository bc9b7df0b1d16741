package dev.rowlock.node;

import dev.rowlock.db.DatabaseUnavailable;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outages of the database for any loop: logged once on the way down, when one of them still gets no answer after the
 * quiet time, and once on the way up, when the last of these has completed a pass again. Thread-safe.
 */
public final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);

    private final Set<String> unanswered = new HashSet<>();
    private final LongSupplier nanos;
    private final Duration quiet;
    private @Nullable DatabaseUnavailable problem;
    private long sinceNanos;
    private boolean said;
    private boolean refusalSaid;

    /** @param quiet how long the log says nothing: a failover to another server logs that itself */
    public Outage(LongSupplier nanos, Duration quiet) {
        this.nanos = nanos;
        this.quiet = quiet;
    }

    /**
     * Notes that a loop got no answer.
     *
     * @param loop its name
     */
    synchronized void noticed(String loop, DatabaseUnavailable e) {
        if (unanswered.isEmpty()) {
            sinceNanos = nanos.getAsLong();
        }
        unanswered.add(loop);
        problem = e;
        // Said even if it began otherwise.
        boolean refusal = e.needsMending() && !refusalSaid;
        if (refusal || (!said && nanos.getAsLong() - sinceNanos >= quiet.toNanos())) {
            said = true;
            refusalSaid |= refusal;
            log.warn("{}; this node goes on trying. {}", capitalized(e.summary()), e.getMessage());
        }
    }

    synchronized void over(String loop) {
        if (unanswered.remove(loop) && unanswered.isEmpty()) {
            if (said) {
                log.info("The database is available again.");
            }
            said = false;
            refusalSaid = false;
            problem = null;
        }
    }

    /** Returns, for people, why the database does not answer; empty: it does. */
    public synchronized Optional<String> problem() {
        return Optional.ofNullable(problem).map(e -> e.summary() + ": " + e.getMessage());
    }

    private static String capitalized(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
