package dev.rowlock.task;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Cause of a task. */
public enum Cause {
    SCHEDULE,
    MANUAL,
    RETRY,
    /** Another attempt after the node was lost. */
    RECOVERY,
    /** The one run in place of missed occurrences. */
    CATCH_UP,
    /** Run of a past fire time, which somebody requested for a period. */
    BACKFILL;

    private static final Map<String, Cause> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /** Returns the cause of this name; {@link #MANUAL} for one of a newer version: something requested it. */
    public static Cause read(String name) {
        return BY_NAME.getOrDefault(name, MANUAL);
    }
}
