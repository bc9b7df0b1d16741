package dev.rowlock.definition;

/** Policy for an occurrence that is due while the job is still executing. */
public enum Overlap {
    /** The occurrence is not run, and recorded as skipped. */
    SKIP,
    /** The occurrence waits for the other to end. */
    QUEUE,
    /** Both occurrences run. */
    ALLOW,
    /** The other occurrence is killed first. */
    REPLACE
}
