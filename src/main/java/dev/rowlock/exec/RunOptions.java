package dev.rowlock.exec;

import dev.rowlock.definition.CommandShell;
import dev.rowlock.definition.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Options of a run that differ from how the daemon runs.
 *
 * @param user a name or a number that the host is to know; null: the daemon's
 * @param umask in octal digits; null: the daemon's
 * @param nice the niceness to run with; null: the daemon's
 * @param stdin what it reads from standard input; null: nothing
 */
public record RunOptions(
        @Nullable String user,
        @Nullable String umask,
        @Nullable Integer nice,
        Limits limits,
        CommandShell shell,
        @Nullable String stdin) {

    public static final RunOptions NONE = new RunOptions(null, null, null, Limits.NONE, CommandShell.BASH, null);

    /** Returns whether a first shell has to apply something before the command's own. */
    boolean needsFirstShell() {
        return user != null || umask != null || nice != null || stdin != null || !limits.isNone();
    }
}
