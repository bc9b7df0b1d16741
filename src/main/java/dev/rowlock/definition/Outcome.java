package dev.rowlock.definition;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Outcome of a task. */
public enum Outcome {
    SUCCEEDED,
    FAILED,
    TIMED_OUT,
    KILLED,
    /** The session ended before the task did; what the task did is unknown. */
    LOST,
    /** Due, but not run by policy. */
    SKIPPED,
    /** Not run because no node was alive in time. */
    MISSED,
    /** No longer wanted. */
    CANCELLED,
    /** Replaced by one task per node. */
    EXPANDED;

    private static final Map<String, Outcome> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /**
     * Returns whether it says how a command did. {@link #SKIPPED} does not, even after a start: such a run declined,
     * and is neither a success nor a failure.
     */
    public boolean isOfRun() {
        return switch (this) {
            case SUCCEEDED, FAILED, TIMED_OUT, KILLED, LOST -> true;
            case SKIPPED, MISSED, CANCELLED, EXPANDED -> false;
        };
    }

    /** Returns the outcome of this name; {@link #CANCELLED}, from which nothing follows, for one of a newer version. */
    public static Outcome read(String name) {
        return BY_NAME.getOrDefault(name, CANCELLED);
    }
}
