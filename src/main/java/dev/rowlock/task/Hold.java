package dev.rowlock.task;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reason to keep a live task waiting. Setting or lifting one kind never touches another. */
public enum Hold {
    /** The job is paused. */
    PAUSE,
    /** Another task of the job comes first. */
    OVERLAP,
    /** The group has no free slot. */
    GROUP,
    /** No node may run the task, or none has room for it. */
    NODE,
    /**
     * The database refuses what is to be written of the task. It is tried again by itself, or at once by an edit or a
     * call.
     */
    ERROR;

    private static final Map<String, Hold> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    /** Returns the hold of this name; empty for one of a newer version. */
    public static Optional<Hold> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
