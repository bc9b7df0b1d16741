package dev.rowlock.fuzz;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What came of a campaign. */
record Outcome(
        long seed,
        int requests,
        double seconds,
        Map<Integer, Integer> statuses,
        long slowestMillis,
        long slowestLifeMillis,
        Footprint before,
        Footprint after,
        List<String> findings) {

    String text() {
        StringBuilder text = new StringBuilder();
        findings.forEach(finding -> text.append("FOUND: ").append(finding).append("\n\n"));
        text.append(String.format(
                Locale.ROOT,
                "seed %d: %d requests in %.0f s (%.0f/s), slowest %d ms, /livez %d ms%nanswers: %s%nbefore %s%nafter  %s%n%d findings%n",
                seed,
                requests,
                seconds,
                requests / seconds,
                slowestMillis,
                slowestLifeMillis,
                statuses,
                before,
                after,
                findings.size()));
        return text.toString();
    }
}
