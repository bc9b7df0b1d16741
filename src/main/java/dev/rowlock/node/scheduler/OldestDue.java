package dev.rowlock.node.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Lower bound of the due scan: nothing that waits or is overdue is older. Refreshed every 30 s or less often. */
final class OldestDue {

    /** Time between scans of rows of any age; in between the scan starts where the oldest waiting row was. */
    private static final Duration FULL_SCAN = Duration.ofSeconds(30);
    /** Inverse of the share of the time that such scans may take: they are slow where much is not purged. */
    private static final int FULL_SCAN_SHARE = 100;
    /** Time that the scan reaches back, for clocks and slow commits: what becomes due again is due at that moment. */
    private static final Duration REACH_BACK = Duration.ofSeconds(90);

    private Instant dueAt = Instant.EPOCH;
    private Instant fullyScanned = Instant.EPOCH;
    private Duration fullScanAfter = FULL_SCAN;

    Instant dueAt() {
        return dueAt;
    }

    /** Returns whether rows of any age are to be scanned. */
    boolean isToBeLookedFor(Instant now) {
        return Duration.between(fullyScanned, now).abs().compareTo(fullScanAfter) >= 0;
    }

    /**
     * Notes a scan of rows of any age.
     *
     * @param began as of when, by the database's clock
     * @param found due times of all that waits
     */
    void lookedFor(Instant began, Instant ended, Stream<Instant> found) {
        fullyScanned = began;
        Duration took = Duration.between(began, ended).multipliedBy(FULL_SCAN_SHARE);
        fullScanAfter = took.compareTo(FULL_SCAN) > 0 ? took : FULL_SCAN;
        Instant reach = began.minus(REACH_BACK);
        dueAt = found.filter(due -> due.isBefore(reach)).min(Instant::compareTo).orElse(reach);
    }
}
