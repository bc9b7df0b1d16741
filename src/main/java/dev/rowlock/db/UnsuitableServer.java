package dev.rowlock.db;

/** The database server is one that Rowlock's promises cannot be kept on; the message says what would do. */
public final class UnsuitableServer extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsuitableServer(String message) {
        super(message);
    }
}
