package dev.rowlock.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fault as it happened, on the scale of {@code /proc/uptime}.
 *
 * @param goodFrom from when on occurrences have to be in time again: the beginning, unless the fault knows better;
 *     negative: it is not judged
 * @param complaints what was seen to come back too late; counts if no other fault was near
 * @param skipped why it did not happen; null: it did
 */
record Injected(
        FaultKind kind,
        String what,
        long fromMillis,
        long untilMillis,
        long goodFrom,
        List<String> complaints,
        @Nullable String skipped) {

    /** Whether it reached into this stretch of time. */
    boolean touches(long fromUptimeMillis, long untilUptimeMillis) {
        return skipped == null && fromMillis <= untilUptimeMillis && untilMillis >= fromUptimeMillis;
    }
}
