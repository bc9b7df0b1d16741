package dev.rowlock.exec;

/** The ways a command can end. */
public enum ExitKind {
    /** It ran. */
    EXITED,
    /** Refused by its own gate, for its deadline had passed: nothing of the command was run. */
    TOO_LATE,
    /** There was no guard to stand by: nothing of the command was run. */
    UNGUARDED,
    /**
     * Nothing of the command was run: there is no bash or no such working directory, no process could be made, or its shell did not come
     * to the command in time. The note says why.
     */
    NOT_STARTED,
    /** Nobody knows whether anything of the command was run: making its process took too long. Nothing of it is there now. */
    UNKNOWN
}
