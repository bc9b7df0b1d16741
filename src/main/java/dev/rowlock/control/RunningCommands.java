package dev.rowlock.control;

import dev.rowlock.job.CommandOutput;
import dev.rowlock.job.LaunchId;
import java.util.Optional;

/** The commands that this node is executing. For use by several threads; must answer at once. */
public interface RunningCommands {

    /** What the command has written so far; empty if this launch is not executing here. */
    Optional<CommandOutput> output(LaunchId launch);

    /** Begins to end the command, if it is executing here; it has been asked for through the database as well. */
    void kill(LaunchId launch);
}
