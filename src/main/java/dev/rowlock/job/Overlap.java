package dev.rowlock.job;

/** What happens to an occurrence that is due while the job is still executing. */
public enum Overlap {
    /** It is not run, and recorded as skipped. */
    SKIP,
    /** It waits for the other to end. */
    QUEUE,
    /** Both run. */
    ALLOW,
    /** The other is killed first. */
    REPLACE
}
