package dev.rowlock.db;

/** The database server is one that Rowlock's promises cannot be kept on; the message says what would do. */
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
