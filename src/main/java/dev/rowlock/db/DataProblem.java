package dev.rowlock.db;

/**
 * Refusal of the data in a statement: too long, out of range, duplicate, or the like. The transaction was rolled back,
 * and repeating it is of no use until the data, or what refuses it, has changed. Of a batch, one row may be to blame.
 */
public final class DataProblem extends StatementProblem {

    private static final long serialVersionUID = 1L;

    DataProblem(String what, Throwable cause) {
        super(what, cause);
    }
}
