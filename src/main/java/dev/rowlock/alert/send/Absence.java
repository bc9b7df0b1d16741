package dev.rowlock.alert.send;

import dev.rowlock.alert.store.OutageReports;
import dev.rowlock.db.DatabaseUnavailable;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Absence of one node from the database, which it reports when it is back and has joined. */
final class Absence {

    /** Least absence that is reported: shorter ones are a matter of moments, which nobody asks for. */
    private static final Duration WORTH_TELLING = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final OutageReports reports;

    private @Nullable DatabaseUnavailable problem;
    private boolean over;
    private long sinceNanos;
    private long untilNanos;

    Absence(LongSupplier nanos, OutageReports reports) {
        this.nanos = nanos;
        this.reports = reports;
    }

    /**
     * Begins or continues the absence.
     *
     * @param askedNanos when the database was asked that did not answer
     */
    void goesOn(long askedNanos, DatabaseUnavailable why) {
        if (problem == null) {
            problem = why;
            sinceNanos = askedNanos;
        }
        over = false;
    }

    /** Ends the absence: the database has answered. */
    void ends() {
        if (!over) {
            over = true;
            untilNanos = nanos.getAsLong();
        }
    }

    /** Writes down an absence that has ended; before the node has joined, there may be no table for it yet. */
    void report(String node) {
        DatabaseUnavailable why = problem;
        if (why == null || !over) {
            return;
        }
        Duration length = Duration.ofNanos(untilNanos - sinceNanos);
        if (length.compareTo(WORTH_TELLING) >= 0) {
            reports.add(node, length, Duration.ofNanos(nanos.getAsLong() - untilNanos), why.summary());
        }
        problem = null;
    }
}
