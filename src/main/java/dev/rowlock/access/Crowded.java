package dev.rowlock.access;

/** Refusal of a request because too many of its kind are in progress. */
public final class Crowded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean isOwn;

    public Crowded(boolean isOwn, String message) {
        super(message, null, false, false);
        this.isOwn = isOwn;
    }

    /** Returns whether the caller's own share is used up, while others are still served. */
    public boolean isOwn() {
        return isOwn;
    }
}
