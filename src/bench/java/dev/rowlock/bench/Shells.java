package dev.rowlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Runs {@code bash -c true} the plain way, as a job of a peer would. */
final class Shells {

    private Shells() {}

    static void runTrue() {
        try {
            Process process = new ProcessBuilder("bash", "-c", "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException("true ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
