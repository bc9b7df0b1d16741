package dev.rowlock.job;

/** Why a task exists. */
public enum Cause {
    SCHEDULE,
    MANUAL,
    RETRY,
    /** A new attempt after its node was lost. */
    RECOVERY,
    /** The one run that stands for missed occurrences. */
    CATCH_UP
}
