package dev.rowlock.field;

import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Retention of what has ended. Nodes may have different settings: what one of them would delete, another may have
 * promised to keep, so the longest of all counts.
 *
 * @param history zero: for ever
 * @param audit zero: for ever
 * @param versions how many versions of a job at the least
 */
public record KeptFor(Duration history, Duration audit, int versions) {

    private static final String HISTORY = "history.retention";
    private static final String AUDIT = "history.audit";
    private static final String VERSIONS = "history.versions";

    /** Returns a retention that keeps all that either keeps. */
    public KeptFor longest(KeptFor other) {
        return new KeptFor(
                longer(history, other.history), longer(audit, other.audit), Math.max(versions, other.versions));
    }

    private static Duration longer(Duration a, Duration b) {
        return a.isZero() || b.isZero() ? Duration.ZERO : a.compareTo(b) > 0 ? a : b;
    }

    /** Returns the settings as nodes publish them, under their names. */
    public Map<String, String> settings() {
        return Map.of(
                HISTORY, Durations.format(history),
                AUDIT, Durations.format(audit),
                VERSIONS, Integer.toString(versions));
    }

    /** Parses the result of {@link #settings}; empty if a node of an earlier version has published it. */
    public static Optional<KeptFor> of(Map<String, String> settings) {
        return settings.containsKey(HISTORY) && settings.containsKey(AUDIT) && settings.containsKey(VERSIONS)
                ? Optional.of(parse(settings.get(HISTORY) + " " + settings.get(AUDIT) + " " + settings.get(VERSIONS)))
                : Optional.empty();
    }

    /** Returns the text as it is recorded. */
    public String text() {
        return Durations.format(history) + " " + Durations.format(audit) + " " + versions;
    }

    /** Parses the result of {@link #text}. */
    public static KeptFor parse(String text) {
        String[] parts = text.split(" ", 3);
        return new KeptFor(duration(parts[0]), duration(parts[1]), Integer.parseInt(parts[2]));
    }

    private static Duration duration(String text) {
        return Durations.parse(text).orElseThrow(() -> new IllegalArgumentException("no duration: " + text));
    }

    /** Describes the retention for people. */
    public String said() {
        return "history for " + said(history) + ", the audit for " + said(audit) + ", " + versions
                + " versions of each job";
    }

    private static String said(Duration kept) {
        return kept.isZero() ? "ever" : Durations.format(kept);
    }
}
