package dev.rowlock.task;

/** State of a live task; once it has ended it is a row of history. */
public enum TaskState {
    IDLE,
    PREPARED,
    EXECUTING
}
