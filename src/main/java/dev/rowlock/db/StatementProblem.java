package dev.rowlock.db;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Refusal of a statement by the database; the transaction was rolled back. Unless it is a {@link DataProblem}, it may
 * well pass, and no rows are to blame.
 */
public sealed class StatementProblem extends RuntimeException permits DataProblem {

    private static final long serialVersionUID = 1L;

    StatementProblem(String what, Throwable cause) {
        super(what + ": " + cause.getMessage(), cause);
    }

    /** Returns the kind of error, whatever rows it was about: the server's code and SQLSTATE. */
    public String kind() {
        @Nullable SQLException sql = SqlErrors.find(this);
        return sql == null ? getClass().getName() : "error " + sql.getErrorCode() + " (" + sql.getSQLState() + ")";
    }
}
