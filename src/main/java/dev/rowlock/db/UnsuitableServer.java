package dev.rowlock.db;

/** Refusal of a server on which Rowlock's promises cannot be kept; the message names the remedy. */
public final class UnsuitableServer extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    UnsuitableServer(String message) {
        super(message);
    }

    @Override
    public String summary() {
        return "the database server will not do";
    }

    @Override
    public boolean needsMending() {
        return true;
    }
}
