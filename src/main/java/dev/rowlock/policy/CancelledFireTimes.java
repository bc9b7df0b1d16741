package dev.rowlock.policy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Fire times that somebody cancelled before they came, under the schedule that is still in force: they are not asked
 * for again. Those that were cancelled under another schedule may be.
 */
public final class CancelledFireTimes {

    /** With more versions than that in between, another schedule is taken to have been among them. */
    public static final int MOST_VERSIONS = 200;

    private CancelledFireTimes() {}

    /**
     * @param cancelled each with the version of the job that asked for it
     * @param version that of the job now
     * @param earlier the versions before it, newest first; at most {@link #MOST_VERSIONS}
     * @param sameSchedule whether such a version says when like the job now
     */
    public static <V> Set<Instant> of(
            Map<Instant, Integer> cancelled, int version, List<V> earlier, Predicate<V> sameSchedule) {
        int inForceSince =
                version - (int) earlier.stream().takeWhile(sameSchedule).count();
        return cancelled.entrySet().stream()
                .filter(e -> e.getValue() >= inForceSince)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
