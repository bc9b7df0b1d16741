package dev.rowlock.task;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reason to keep a live task waiting. Setting or lifting one kind never touches another. */
public enum Hold {
    /** The job is paused. */
    PAUSE(Trait.APART, Trait.ASKED_FOR),
    /** Another task of the job comes first. */
    OVERLAP(Trait.POLICY, Trait.RUNNING, Trait.QUEUED),
    /** The group has no free slot. */
    GROUP(Trait.POLICY, Trait.RUNNING, Trait.QUEUED),
    /** No node may run the task, or none has room for it. */
    NODE(Trait.POLICY, Trait.RUNNING, Trait.LETS_BY, Trait.STUCK),
    /**
     * The database refuses what is to be written of the task. It is tried again by itself, or at once by an edit or a
     * call.
     */
    ERROR(Trait.APART, Trait.STUCK),
    /** A freeze covers the job. What somebody asked for runs despite it, and before what waits. */
    FREEZE(Trait.POLICY, Trait.LETS_BY, Trait.ASKED_FOR);

    /** Trait of some kinds of holds, from which conditions in code and SQL are made. */
    public enum Trait {
        /** The task waits by policy: it is decided again when its job changes, and a pause takes it over. */
        POLICY,
        /** The task counts as running where no other of its job may run beside it, whatever that is. */
        RUNNING,
        /** The task keeps those behind it in the queue of its job waiting. */
        QUEUED,
        /** Some of those behind the task may start before it. */
        LETS_BY,
        /** The task is in nobody's way. */
        APART,
        /** A person wants the task to wait, and need not be told that it does. */
        ASKED_FOR,
        /** The task waits for somebody to see to it. */
        STUCK
    }

    private static final Map<String, Hold> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

    @SuppressWarnings("ImmutableEnumChecker") // what Set.of makes is immutable
    private final Set<Trait> traits;

    Hold(Trait... traits) {
        this.traits = Set.of(traits);
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Returns the names of the kinds with this trait as a list of SQL. */
    public static String listOf(Trait trait) {
        return Arrays.stream(values())
                .filter(hold -> hold.has(trait))
                .map(hold -> "'" + hold + "'")
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** Returns the hold of this name; empty for one of a newer version. */
    public static Optional<Hold> find(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}
