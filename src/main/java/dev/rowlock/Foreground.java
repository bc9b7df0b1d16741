package dev.rowlock;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/** Execution of an editor in this command's terminal, directory and environment. */
final class Foreground {

    private Foreground() {}

    /** @return the exit code */
    static int run(List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        String locale = System.getProperty("rowlock.lc-all"); // what it was before scripts/rowlock chose one for Java
        if (locale != null && locale.isEmpty()) {
            builder.environment().remove("LC_ALL");
        } else if (locale != null) {
            builder.environment().put("LC_ALL", locale);
        }
        Process process = builder.start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw (IOException) new InterruptedIOException("interrupted").initCause(e);
        }
    }
}
