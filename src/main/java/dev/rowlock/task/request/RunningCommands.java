package dev.rowlock.task.request;

import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.util.Optional;

/** Commands that this node is executing. Thread-safe; answers at once. */
public interface RunningCommands {

    /** Returns what the command has written so far; empty if this launch is not executing here. */
    Optional<CommandOutput> output(LaunchId launch);

    /** Begins to end the command, if it is executing here; the database has the request as well. */
    void kill(LaunchId launch);
}
