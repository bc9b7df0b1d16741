package dev.rowlock.api;

/** The certificate or its key cannot be used. The message names the setting and the file, and says what would do. */
public final class TlsProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TlsProblem(String message) {
        super(message, null, false, false);
    }
}
