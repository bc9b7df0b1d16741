package dev.rowlock;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** Runs an editor where this command runs: with its terminal, its directory and its environment. */
final class Foreground {

    private Foreground() {}

    /** @return the exit code */
    static int run(List<String> words) throws IOException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }
}
