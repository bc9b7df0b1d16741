package dev.rowlock.chaos;

import dev.rowlock.chaos.Findings.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run has shown, for people. */
record Report(Options options, Findings findings, List<String> lines) {

    private static final int SHOWN = 8;

    boolean isClean() {
        return findings.areNone();
    }

    static Report of(
            Options options,
            Evidence evidence,
            Findings findings,
            long asked,
            int requests,
            int refusals,
            List<String> punctuality) {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + options.seed() + ", " + options.nodes() + " nodes, " + options.jobs() + " jobs, "
                + options.length().toSeconds() + " s, database " + options.database());
        Map<String, Long> injected = evidence.injected().stream()
                .filter(f -> f.skipped() == null)
                .collect(Collectors.groupingBy(f -> f.kind().toString(), TreeMap::new, Collectors.counting()));
        long total = injected.values().stream().mapToLong(Long::longValue).sum();
        lines.add("faults injected   " + total + " " + injected);
        evidence.injected().stream()
                .filter(f -> f.skipped() != null)
                .map(f -> "skipped           " + f.kind() + ": " + f.skipped())
                .distinct()
                .forEach(lines::add);
        lines.add("occurrences       " + asked + " asked for");
        lines.add("starts            " + evidence.launches().size());
        lines.add("outcomes          "
                + evidence.ledger().history().stream()
                        .collect(Collectors.groupingBy(
                                Ledger.Ended::outcome,
                                TreeMap::new,
                                Collectors.summingLong(Ledger.Ended::occurrences))));
        lines.add("requests          " + requests + ", of them answered 503: " + refusals);
        for (Kind kind : Kind.values()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-17s %d",
                    kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    findings.count(kind)));
        }
        lines.add("lateness of scheduled occurrences, by the faults that reached into their time:");
        lines.addAll(new Lateness(evidence).report());
        if (!punctuality.isEmpty()) {
            lines.add("bounds, where a fault stood alone:");
            lines.addAll(punctuality);
        }
        if (!findings.judged().isEmpty()) {
            lines.add("drawn by operators, and judged:");
            findings.judged().forEach(what -> lines.add("  " + what));
        }
        return new Report(options, findings, lines);
    }

    /** The summary, and all violations as far as they can be read. */
    String text() {
        StringBuilder text = new StringBuilder("\n== chaos ==\n");
        lines.forEach(line -> text.append(line).append('\n'));
        for (Kind kind : Kind.values()) {
            List<String> all = findings.of(kind);
            all.stream()
                    .limit(SHOWN)
                    .forEach(v -> text.append("VIOLATION ")
                            .append(kind)
                            .append(": ")
                            .append(v)
                            .append('\n'));
            if (all.size() > SHOWN) {
                text.append("… and ")
                        .append(all.size() - SHOWN)
                        .append(" more of ")
                        .append(kind)
                        .append('\n');
            }
        }
        findings.notes().stream()
                .limit(3L * SHOWN)
                .forEach(n -> text.append("note: ").append(n).append('\n'));
        text.append(
                isClean()
                        ? "No violation.\n"
                        : "The run is not clean. Again: scripts/chaos --seed " + options.seed() + "\n");
        text.append("All it left behind is in ").append(options.dir()).append('\n');
        return text.toString();
    }
}
