package dev.rowlock.exec;

/** Why a command was asked to end. */
public enum StopCause {
    /** It ran longer than its job allows. */
    TIMEOUT,
    /** A person, or a policy, asked for it. */
    REQUEST,
    /** This session may no longer trust that its commands are its own. */
    FENCE,
    /** The daemon ends. */
    SHUTDOWN
}
