package dev.rowlock.chaos;

import dev.rowlock.chaos.Ledger.Ended;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How late occurrences started, by the faults that reached into their time. */
final class Lateness {

    /** How long after its end a fault still counts: what it did to sessions takes that long to be over. */
    static final long AFTERMATH_MILLIS = ChaosNode.LONG_TIMEOUT.toMillis() + 2000;

    private final Evidence evidence;

    Lateness(Evidence evidence) {
        this.evidence = evidence;
    }

    /** A line for each kind of fault. */
    List<String> report() {
        List<Ended> started = evidence.ledger().history().stream()
                .filter(r -> r.started() != null
                        && r.latenessMillis() != null
                        && r.cause().equals("SCHEDULE"))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(line(
                "none",
                started.stream()
                        .filter(r -> evidence.injected().stream().noneMatch(f -> reaches(f, r)))
                        .toList()));
        for (FaultKind kind : FaultKind.values()) {
            List<Injected> own = evidence.injected().stream()
                    .filter(f -> f.kind() == kind && f.skipped() == null)
                    .toList();
            if (!own.isEmpty()) {
                lines.add(line(
                        kind.toString(),
                        started.stream()
                                .filter(r -> own.stream().anyMatch(f -> reaches(f, r)))
                                .toList()));
            }
        }
        return lines;
    }

    private boolean reaches(Injected fault, Ended row) {
        long fire = evidence.uptimeOf(row.fire());
        return fault.touches(fire - AFTERMATH_MILLIS, fire + row.latenessMillis());
    }

    private static String line(String fault, List<Ended> rows) {
        long[] sorted = rows.stream().mapToLong(Ended::latenessMillis).sorted().toArray();
        Ended worst = rows.stream()
                .max(Comparator.comparingLong(Ended::latenessMillis))
                .orElse(null);
        return worst == null
                ? String.format(Locale.ROOT, "  %-22s no occurrence", fault)
                : String.format(
                        Locale.ROOT,
                        "  %-22s %6d occurrences, p50 %5d ms, p95 %6d ms, worst %6d ms",
                        fault,
                        sorted.length,
                        sorted[sorted.length / 2],
                        sorted[Math.min(sorted.length - 1, sorted.length * 95 / 100)],
                        Arrays.stream(sorted).max().orElseThrow());
    }
}
