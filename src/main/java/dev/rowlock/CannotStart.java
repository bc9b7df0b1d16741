package dev.rowlock;

/** A node that must not run, and why, in words for the operator. */
final class CannotStart extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CannotStart(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
