package dev.rowlock.exec;

/** Kind of end of a command. */
public enum ExitKind {
    /** The command ran. */
    EXITED,
    /** Refused by its own gate, for its deadline had passed: nothing of the command was run. */
    TOO_LATE,
    /** There was no guard to stand by: nothing of the command was run. */
    UNGUARDED,
    /** The host could make no process for reasons of its own: nothing of the command was run. The note says which. */
    HOST_REFUSED,
    /** Nothing was run: its process could not be made or did not pass the gate. The note says why. */
    NOT_STARTED,
    /** Making its process took too long, so nobody knows whether anything was run. Nothing of it is there now. */
    UNKNOWN
}
