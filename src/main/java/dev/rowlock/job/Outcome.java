package dev.rowlock.job;

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
    EXPANDED
}
