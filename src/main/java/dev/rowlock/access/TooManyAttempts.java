package dev.rowlock.access;

import java.time.Duration;

/** Refusal of an attempt, unchecked, because there were too many. */
public final class TooManyAttempts extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration wait;

    /** @param what is too much, and what to do about it */
    public TooManyAttempts(String what, Duration wait) {
        super(what, null, false, false);
        this.wait = wait;
    }

    /** Returns the time to wait, in seconds. */
    public long seconds() {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
