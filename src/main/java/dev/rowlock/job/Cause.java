package dev.rowlock.job;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Why a task exists. */
public enum Cause {
    SCHEDULE,
    MANUAL,
    RETRY,
    /** A new attempt after its node was lost. */
    RECOVERY,
    /** The one run that stands for missed occurrences. */
    CATCH_UP;

    private static final Map<String, Cause> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /** Returns the cause of that name; {@link #MANUAL} for one of a newer version: something asked for it. */
    public static Cause read(String name) {
        return BY_NAME.getOrDefault(name, MANUAL);
    }
}
