package dev.rowlock.exec;

import dev.rowlock.exec.output.Outflow;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Way to create processes. Thread-safe. */
interface Spawner {

    /**
     * Program to run.
     *
     * @param line the program's absolute path, and its arguments
     * @param environment all of it: nothing is inherited
     * @param input what standard input is
     * @param output takes what is written to standard output and error, in its order
     */
    record Program(List<String> line, Map<String, String> environment, File input, Outflow.Sink output) {}

    /** Process that was created, the first of a process session of its own. */
    interface SpawnedProcess {

        /** Returns the process id, which is also that of its process session. */
        int pid();

        /** Waits for its end. Returns the same as {@link Child#exit}. */
        int await() throws InterruptedException;

        /** Returns its output. */
        Outflow outflow();
    }

    /**
     * Creates a process in the root directory that inherits no other file.
     *
     * @throws IOException with a message for people if it cannot be made; then there is none
     */
    SpawnedProcess make(Program program) throws IOException;

    /** Returns whether this text can be an argument or a variable and arrives as UTF-8. */
    boolean canPass(String text);
}
