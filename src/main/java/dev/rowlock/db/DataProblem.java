package dev.rowlock.db;

/**
 * The database refused a statement because of the data in it: too long, out of range, there already, or the like. It was rolled back. Repeating
 * it is of no use until the data, or what refuses it, has changed; of a batch, it may be the fault of one row.
 */
public final class DataProblem extends StatementProblem {

    private static final long serialVersionUID = 1L;

    DataProblem(String what, Throwable cause) {
        super(what, cause);
    }
}
