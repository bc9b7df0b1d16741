package dev.rowlock.job;

/** What a rule can be about. */
public enum AlertCondition {
    /** A run failed, and is not tried again. */
    FAILED,
    /** As many runs in a row failed. */
    FAILED_IN_A_ROW,
    /** An occurrence had not started so long after its fire time. */
    NOT_STARTED_BY,
    /** A job has existed for a while, and no run of it has succeeded. */
    NEVER_SUCCEEDED,
    TOO_LONG,
    /** A run succeeded, but suspiciously soon. */
    TOO_SHORT,
    /** What the rule told of is over. */
    RECOVERED,
    /** A session ended without having left. */
    NODE_LOST,
    DATABASE_AWAY,
    VERIFICATION_FAILED,
    TOKEN_EXPIRING;

    /** Whether it is about jobs, and not about the cluster. */
    public boolean isOfJobs() {
        return compareTo(RECOVERED) <= 0;
    }
}
