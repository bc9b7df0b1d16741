package dev.rowlock.engine.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Lower bound of the due scan: nothing that waits or is overdue is older. Refreshed now and then. */
final class OldestDue {

    /** How often rows of any age are scanned; in between the scan starts where the oldest waiting row was. */
    private static final Duration FULL_SCAN = Duration.ofSeconds(30);
    /** Where much is not purged, such a scan takes long; it may take so small a share of the time. */
    private static final int FULL_SCAN_SHARE = 100;
    /** What becomes due again is due at that moment; the scan reaches back this far for clocks and slow commits. */
    private static final Duration REACH_BACK = Duration.ofSeconds(90);

    private Instant dueAt = Instant.EPOCH;
    private Instant fullyScanned = Instant.EPOCH;
    private Duration fullScanAfter = FULL_SCAN;

    Instant dueAt() {
        return dueAt;
    }

    /** Whether rows of any age are to be scanned. */
    boolean isToBeLookedFor(Instant now) {
        return Duration.between(fullyScanned, now).abs().compareTo(fullScanAfter) >= 0;
    }

    /**
     * Rows of any age were scanned.
     *
     * @param began as of when, by the database's clock
     * @param found when all is due that waits
     */
    void lookedFor(Instant began, Instant ended, Stream<Instant> found) {
        fullyScanned = began;
        Duration took = Duration.between(began, ended).multipliedBy(FULL_SCAN_SHARE);
        fullScanAfter = took.compareTo(FULL_SCAN) > 0 ? took : FULL_SCAN;
        Instant reach = began.minus(REACH_BACK);
        dueAt = found.filter(due -> due.isBefore(reach)).min(Instant::compareTo).orElse(reach);
    }
}
