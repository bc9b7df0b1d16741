package dev.rowlock.cli;

/** A command was called in a way that it does not understand; the message says what is wrong. */
public final class UsageProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageProblem(String message) {
        super(message, null, false, false);
    }
}
