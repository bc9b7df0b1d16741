package dev.rowlock.control;

/** A request that is well formed but cannot be carried out as things stand; nothing was changed. */
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        NOT_FOUND,
        /** It is there already. */
        EXISTS,
        /** It is not, or no longer, in the version that the request is about. */
        OTHER_VERSION,
        /** What is asked for makes no sense in the state it is in. */
        CONFLICT,
        /** Too much of the same is going on; later it may be possible. */
        BUSY
    }

    private final Reason reason;

    public Refused(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
