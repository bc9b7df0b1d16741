package dev.rowlock.http;

/** Refusal of a certificate or its key. The message names the setting and the file, and the remedy. */
public final class TlsProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TlsProblem(String message) {
        super(message, null, false, false);
    }
}
