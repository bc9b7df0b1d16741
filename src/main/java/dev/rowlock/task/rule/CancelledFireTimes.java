package dev.rowlock.task.rule;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Fire times that somebody cancelled before they came, under the schedule that is still in force: they are not made
 * again. Those that were cancelled under another schedule may be.
 */
public final class CancelledFireTimes {

    /** Bound on versions in between, above which another schedule is taken to have been among them. */
    public static final int MOST_VERSIONS = 200;

    private CancelledFireTimes() {}

    /**
     * Returns the cancelled fire times.
     *
     * @param cancelled each with the version of the job that scheduled it
     * @param version that of the job now
     * @param earlier the versions before it, newest first; at most {@link #MOST_VERSIONS}
     * @param sameSchedule whether such a version has the schedule of the job now
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
