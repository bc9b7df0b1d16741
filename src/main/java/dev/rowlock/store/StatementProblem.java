package dev.rowlock.store;

/** The database refused a statement for a reason that repeating will not mend; the transaction was rolled back. */
public final class StatementProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StatementProblem(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
