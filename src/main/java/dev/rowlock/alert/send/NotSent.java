package dev.rowlock.alert.send;

/** Failure to send a message; the reason is for people, and holds no secret. */
public final class NotSent extends Exception {

    private static final long serialVersionUID = 1L;

    NotSent(String reason) {
        super(reason);
    }

    NotSent(String reason, Throwable cause) {
        super(reason, cause);
    }

    /** Returns the reason. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
