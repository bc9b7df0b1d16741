package dev.rowlock.access;

/** Refusal of a known caller. The message says who asked and what is needed; nothing was changed. */
public final class Forbidden extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Forbidden(String message) {
        super(message, null, false, false);
    }
}
