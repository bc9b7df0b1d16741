package dev.rowlock.access;

import java.time.Duration;

/** Too many wrong tokens came from an address; the one that was sent now may be right or wrong. */
public final class TooManyGuesses extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration wait;

    TooManyGuesses(Duration wait) {
        super("too many wrong tokens came from this address; check the token, and try again later", null, false, false);
        this.wait = wait;
    }

    /** How long it is to wait, in seconds. */
    public long seconds() {
        return Math.max(1, wait.plusMillis(999).toSeconds());
    }
}
