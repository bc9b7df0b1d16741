package dev.rowlock.chaos;

import org.jspecify.annotations.Nullable;

/**
 * A fault as it happened, on the scale of {@code /proc/uptime}.
 *
 * @param skipped why it did not happen; null: it did
 */
record Injected(
        FaultKind kind,
        String what,
        long fromMillis,
        long untilMillis,
        @Nullable String skipped) {

    /** Whether it reached into this stretch of time. */
    boolean touches(long fromUptimeMillis, long untilUptimeMillis) {
        return skipped == null && fromMillis <= untilUptimeMillis && untilMillis >= fromUptimeMillis;
    }
}
