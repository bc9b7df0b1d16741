package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Live;
import dev.rowlock.definition.Retry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What failed is tried again as its job says: as often, after such an end, and not too early. */
final class RetryChecks {

    private static final Set<String> FAILURES = Set.of("FAILED", "TIMED_OUT");

    /** The delay is varied by a tenth, and uptime counts in hundredths of a second. */
    private static final long TOLERANCE_MILLIS = 50;

    private final Evidence evidence;
    private final Findings findings;
    private final Map<Long, Execution> byTask = new HashMap<>();

    RetryChecks(Evidence evidence, Findings findings) {
        this.evidence = evidence;
        this.findings = findings;
    }

    void check(List<Execution> all) {
        all.forEach(e -> byTask.put(e.row().id(), e));
        Map<String, List<Ended>> occurrences =
                evidence.ledger().history().stream().collect(Collectors.groupingBy(RetryChecks::key));
        Set<String> live = new HashSet<>();
        evidence.ledger().live().forEach(row -> live.add(key(row)));
        occurrences.forEach((key, rows) -> checkOccurrence(rows, live.contains(key)));
    }

    private static String key(Ended row) {
        return row.job() + " " + row.fire() + " " + row.origin();
    }

    private static String key(Live row) {
        return row.job() + " " + row.fire() + " " + row.origin();
    }

    private void checkOccurrence(List<Ended> rows, boolean goesOn) {
        TreeMap<Integer, Ended> attempts = new TreeMap<>();
        rows.stream().sorted(Comparator.comparing(Ended::id)).forEach(row -> attempts.put(row.attempt(), row));
        int failures = 0;
        for (Ended row : attempts.values()) {
            @Nullable Ended next = attempts.get(row.attempt() + 1);
            failures = row.cause().equals("MANUAL") ? 0 : failures; // what is asked for once more begins again
            failures += FAILURES.contains(row.outcome()) ? 1 : 0;
            boolean wanted = isWanted(row, failures);
            if (next != null && next.cause().equals("RETRY")) {
                if (wanted) {
                    notTooEarly(row, next, failures);
                } else {
                    findings.add(
                            Kind.UNASKED,
                            "a retry that its job does not ask for, after " + failures + " failures, " + next
                                    + "; before it: " + row);
                }
            } else if (next == null && !goesOn && wanted && !isDeleted(row)) {
                findings.add(Kind.LOST, "its job asks for a retry, and there is none: " + row);
            }
        }
    }

    private boolean isWanted(Ended row, int failures) {
        @Nullable Retry retry = evidence.ledger().versionOf(row).definition().retry();
        boolean isReplaced = row.replacedBy() != null; // and what replaces it runs instead
        if (retry == null || isReplaced || !FAILURES.contains(row.outcome()) || failures > retry.max()) {
            return false;
        }
        return row.outcome().equals("TIMED_OUT")
                ? retry.onTimeout()
                : retry.onExitCodes() == null
                        || (row.exitCode() != null && retry.onExitCodes().contains(row.exitCode()));
    }

    private boolean isDeleted(Ended row) {
        return evidence.ledger().deleted(row.job()).isPresent();
    }

    private void notTooEarly(Ended failed, Ended retried, int failures) {
        Retry retry = evidence.ledger().versionOf(failed).definition().retry();
        Execution before = byTask.get(failed.id());
        Execution after = byTask.get(retried.id());
        if (retry == null || before == null || after == null || evidence.wasClockWrong(before.from(), after.from())) {
            return;
        }
        long backoff = Math.min(retry.maxBackoff().toMillis(), retry.backoff().toMillis() << (failures - 1));
        long waited = after.from() - before.until();
        if (waited < backoff * 9 / 10 - TOLERANCE_MILLIS) {
            findings.add(
                    Kind.AHEAD,
                    "retried " + waited + " ms after the failure, sooner than a backoff of " + backoff + " ms allows: "
                            + after);
        }
    }
}
