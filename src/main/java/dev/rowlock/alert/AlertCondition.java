package dev.rowlock.alert;

/** Condition of a rule. */
public enum AlertCondition {
    /** A run failed, and is not tried again. */
    FAILED,
    /** Several runs in a row failed. */
    FAILED_IN_A_ROW,
    /** An occurrence had not started so long after its fire time. */
    NOT_STARTED_BY,
    /** A job has existed for a while, and no run of it has succeeded. */
    NEVER_SUCCEEDED,
    TOO_LONG,
    /** A run succeeded, but suspiciously soon. */
    TOO_SHORT,
    /** An occurrence had not succeeded, or declined, by the {@code finishBy} of its job. */
    NOT_FINISHED_BY,
    /** An occurrence is not likely to have succeeded by then. */
    AT_RISK,
    /** The alert's cause is over. */
    RECOVERED,
    /** A session ended without having left. */
    NODE_LOST,
    DATABASE_AWAY,
    VERIFICATION_FAILED,
    TOKEN_EXPIRING;

    /** Returns whether it is about jobs, not the cluster. */
    public boolean isOfJobs() {
        return compareTo(RECOVERED) <= 0;
    }
}
