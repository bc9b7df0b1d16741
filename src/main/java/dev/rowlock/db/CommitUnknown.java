package dev.rowlock.db;

/** The connection broke while the commit was under way: the transaction may or may not have happened, and nothing may be assumed. */
public final class CommitUnknown extends DatabaseUnavailable {

    private static final long serialVersionUID = 1L;

    CommitUnknown(String what, Throwable cause) {
        super(what + " may or may not have been committed", cause);
    }
}
