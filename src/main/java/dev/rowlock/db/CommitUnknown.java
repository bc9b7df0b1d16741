package dev.rowlock.db;

/** Loss of the connection during the commit: the transaction may or may not have happened. */
public final class CommitUnknown extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    CommitUnknown(String what, Throwable cause) {
        super(what + " may or may not have been committed", cause);
    }
}
