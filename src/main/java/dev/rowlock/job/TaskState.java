package dev.rowlock.job;

/** Where a live task stands; once it has ended it is a row of history. */
public enum TaskState {
    IDLE,
    PREPARED,
    EXECUTING
}
