package dev.rowlock.exec;

import org.jspecify.annotations.Nullable;

/** Reason for ending a command. */
public enum StopCause {
    /** The command ran longer than its job allows. */
    TIMEOUT,
    /** A person, or a policy, asked for it. */
    REQUEST,
    /** The session may no longer trust that its commands are its own. */
    FENCE,
    /** The daemon ends. */
    SHUTDOWN;

    /**
     * Returns whether this cause replaces an earlier one. The first one counts, but a request during a shutdown says
     * that the command is not to be run again.
     */
    boolean outranks(@Nullable StopCause earlier) {
        return earlier == null || (earlier == SHUTDOWN && this == REQUEST);
    }
}
