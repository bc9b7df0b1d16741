package dev.rowlock.exec;

import dev.rowlock.task.CommandOutput;
import dev.rowlock.task.LaunchId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Execution of commands: {@link Launcher}, or a substitute that starts no process. Thread-safe. */
public interface Processes extends AutoCloseable {

    /** Starts a command. Returns at once: its end, or that it could not be started, is reported as {@link Ended}. */
    void start(LaunchSpec spec);

    /**
     * Ends a command and its tree: TERM now, KILL after its grace. Asynchronous. Returns false if it is not running.
     */
    boolean kill(LaunchId id, StopCause why);

    /**
     * Ends all commands: TERM now, KILL after each one's grace or {@code most}, whichever is shorter, and never later
     * than requested before. Asynchronous.
     */
    void killAll(StopCause why, Duration most);

    /** Returns the number of launches whose end was not reported yet. */
    int running();

    /**
     * Returns what is kept of a launch's output until it is discarded. Cuts that an earlier daemon made are not known.
     */
    CommandOutput output(LaunchId id);

    /** Discards an output that is stored, or that nobody wants. */
    void discardOutput(LaunchId id);

    /** Returns all launches with output, also those of previous sessions of this node. */
    Set<LaunchId> outputs();

    /** Returns what is wrong with output though commands run; empty if nothing is. */
    Optional<String> outputProblem();

    /** Returns why no process can be created at all; empty if one can, as far as is known. Answers at once. */
    Optional<String> spawnProblem();

    /** Returns what keeps single commands from beginning, though others run; empty if nothing does. Answers at once. */
    Optional<String> startProblem();

    /** Closes this; kills nothing, and reports nothing after it. */
    @Override
    void close();
}
