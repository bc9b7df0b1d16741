package dev.rowlock.job;

/** Policy for occurrences that are later than the misfire threshold. */
public enum Misfire {
    /** The latest runs; the others are recorded together as missed. */
    RUN_ONCE,
    /** None runs. */
    SKIP,
    /** All run, in order. */
    RUN_ALL
}
