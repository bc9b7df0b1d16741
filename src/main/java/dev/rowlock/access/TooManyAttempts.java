package dev.rowlock.access;

import java.time.Duration;

/** Somebody tries something too often; what was tried now was not looked at. */
public final class TooManyAttempts extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration wait;

    /** @param what is too much, and what to do about it */
    public TooManyAttempts(String what, Duration wait) {
        super(what, null, false, false);
        this.wait = wait;
    }

    /** How long it is to wait, in seconds. */
    public long seconds() {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
