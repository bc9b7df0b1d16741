package dev.rowlock.store;

/**
 * The database refused a statement, and the transaction was rolled back. Unless it is a {@link DataProblem}, nothing is known of why: it may well
 * pass, and nobody's rows are to blame.
 */
public sealed class StatementProblem extends RuntimeException permits DataProblem {

    private static final long serialVersionUID = 1L;

    StatementProblem(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }
}
