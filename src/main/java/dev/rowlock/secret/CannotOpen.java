package dev.rowlock.secret;

/** Failure to decrypt a stored value; the message says why, and what to do. */
public final class CannotOpen extends Exception {

    private static final long serialVersionUID = 1L;

    CannotOpen(String message) {
        super(message, null, false, false);
    }
}
