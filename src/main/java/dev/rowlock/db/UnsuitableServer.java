package dev.rowlock.db;

/** Refusal of a server that cannot keep Rowlock's promises; the message names the remedy. */
public final class UnsuitableServer extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    public UnsuitableServer(String message) {
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
