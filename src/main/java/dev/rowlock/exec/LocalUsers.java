package dev.rowlock.exec;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users known to this machine, from a file or from a directory service. */
public final class LocalUsers {

    private static final Logger log = LoggerFactory.getLogger(LocalUsers.class);
    private static final long PATIENCE_MILLIS = 1_000;
    /** Exit code of {@code getent} for an unknown user. */
    private static final int NOT_FOUND = 2;

    private LocalUsers() {}

    /**
     * Returns whether this host knows the user that a command is to run as; empty if that cannot be told. A number
     * needs no name.
     *
     * @return empty: it could not be told, or not in time
     */
    public static Optional<Boolean> isKnown(String user) {
        if (user.matches("[0-9]+")) {
            return Optional.of(true);
        }
        try {
            Process asked = new ProcessBuilder(Shell.program("getent"), "passwd", user)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                return asked.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                        ? answer(asked.exitValue())
                        : Optional.empty();
            } finally {
                asked.destroyForcibly();
            }
        } catch (IOException e) {
            log.debug("users cannot be looked up", e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<Boolean> answer(int exit) {
        return exit == 0 || exit == NOT_FOUND ? Optional.of(exit == 0) : Optional.empty();
    }
}
