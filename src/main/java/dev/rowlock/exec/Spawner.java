package dev.rowlock.exec;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A way to make processes. Thread-safe. */
interface Spawner {

    /**
     * What to make a process of.
     *
     * @param line the program's absolute path, and its arguments
     * @param environment all of it: nothing is inherited
     * @param input what standard input is
     * @param output takes what is written to standard output and error, in its order
     */
    record Program(List<String> line, Map<String, String> environment, File input, Outflow.Sink output) {}

    /** A process that was made, the first of a process session of its own. */
    interface Made {

        /** Also the id of its process session. */
        int pid();

        /** Waits for its end; answers as {@link Child#exit}. */
        int await() throws InterruptedException;

        /** What it writes. */
        Outflow outflow();
    }

    /**
     * Makes a process in the root directory that has inherited no other file.
     *
     * @throws IOException with a message for people if it cannot be made; then there is none
     */
    Made make(Program program) throws IOException;

    /** Whether this text can be an argument or a variable and arrives as UTF-8. */
    boolean canPass(String text);
}
