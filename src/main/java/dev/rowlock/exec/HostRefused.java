package dev.rowlock.exec;

import java.io.IOException;

/**
 * Failure of the host to create a process, through no fault of the command: it lacks processes, memory, disk or a
 * program.
 */
final class HostRefused extends IOException {

    private static final long serialVersionUID = 1L;

    /** @param message for people */
    HostRefused(String message) {
        super(message);
    }

    HostRefused(String message, Throwable cause) {
        super(message, cause);
    }
}
