package dev.rowlock.access;

/** Refusal of a request because as much of the same goes on as may. */
public final class Crowded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean isOwn;

    public Crowded(boolean isOwn, String message) {
        super(message, null, false, false);
        this.isOwn = isOwn;
    }

    /** Whether it is the caller's own share that is used up: others are served. */
    public boolean isOwn() {
        return isOwn;
    }
}
