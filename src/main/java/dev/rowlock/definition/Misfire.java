package dev.rowlock.definition;

/** Policy for occurrences that are later than the misfire threshold. */
public enum Misfire {
    /** The latest occurrence runs; the others are recorded together as missed. */
    RUN_ONCE,
    /** No occurrence runs. */
    SKIP,
    /** All occurrences run, in order. */
    RUN_ALL
}
