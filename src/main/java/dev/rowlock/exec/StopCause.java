package dev.rowlock.exec;

import org.jspecify.annotations.Nullable;

/** Why a command was asked to end. */
public enum StopCause {
    /** It ran longer than its job allows. */
    TIMEOUT,
    /** A person, or a policy, asked for it. */
    REQUEST,
    /** This session may no longer trust that its commands are its own. */
    FENCE,
    /** The daemon ends. */
    SHUTDOWN;

    /** The first cause counts, but a request during a shutdown says that the command is not to be run again. */
    boolean outranks(@Nullable StopCause earlier) {
        return earlier == null || (earlier == SHUTDOWN && this == REQUEST);
    }
}
