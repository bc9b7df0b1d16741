package dev.rowlock.job;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a task ended. */
public enum Outcome {
    SUCCEEDED,
    FAILED,
    TIMED_OUT,
    KILLED,
    /** Its session ended before it did; what it did is unknown. */
    LOST,
    /** Due, but not run by policy. */
    SKIPPED,
    /** Not run because no node was there in time. */
    MISSED,
    /** No longer asked for. */
    CANCELLED,
    /** It has become one task for each node, see {@link Origin#ofNode}. */
    EXPANDED;

    private static final Map<String, Outcome> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /** Returns the outcome of that name; {@link #CANCELLED}, from which nothing follows, for one of a newer version. */
    public static Outcome read(String name) {
        return BY_NAME.getOrDefault(name, CANCELLED);
    }
}
