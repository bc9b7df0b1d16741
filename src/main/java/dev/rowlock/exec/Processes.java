package dev.rowlock.exec;

import dev.rowlock.job.CommandOutput;
import dev.rowlock.job.LaunchId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Whoever runs commands: {@link Launcher}, or what stands in for it where no process is to be started. Thread-safe. */
public interface Processes extends AutoCloseable {

    /** Starts a command. Returns at once: its end, or that it could not be started, is told as {@link Ended}. */
    void start(LaunchSpec spec);

    /** Ends a command and its tree: TERM now, KILL after its grace. Asynchronous. False if it is not running. */
    boolean kill(LaunchId id, StopCause why);

    /**
     * Ends all commands: TERM now, KILL after each one's grace or {@code most}, whichever is shorter, and never later
     * than asked for before. Asynchronous.
     */
    void killAll(StopCause why, Duration most);

    /** How many launches have not been told as ended. */
    int running();

    /** What is kept of a launch's output until it is discarded. Cuts that an earlier daemon made are not known. */
    CommandOutput output(LaunchId id);

    /** The output is stored, or nobody wants it. */
    void discardOutput(LaunchId id);

    /** All launches of which there is output, also those of previous sessions of this node. */
    Set<LaunchId> outputs();

    /** What goes wrong with output though commands run; empty if nothing does. */
    Optional<String> outputProblem();

    /** Why no process can be made at all; empty if one can, as far as is known. Answers at once. */
    Optional<String> spawnProblem();

    /** What keeps single commands from beginning, though others run; empty if nothing does. Answers at once. */
    Optional<String> startProblem();

    /** Kills nothing, and tells nothing after it. */
    @Override
    void close();
}
