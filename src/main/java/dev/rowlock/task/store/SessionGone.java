package dev.rowlock.task.store;

/** Failure because our own session was expired: nothing may be done in its name. The transaction was rolled back. */
public final class SessionGone extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String session;

    public SessionGone(String sessionId) {
        super("session " + sessionId + " is gone from the table");
        this.session = sessionId;
    }

    /** Returns the id of the session. */
    public String session() {
        return session;
    }
}
