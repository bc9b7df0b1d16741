package dev.rowlock.access;

/** The caller is known, and may not do this; the message says who asked and what is needed. Nothing was changed. */
public final class Forbidden extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Forbidden(String message) {
        super(message, null, false, false);
    }
}
