/**
 * Access to the database: connections and the server that takes writes, transactions and what an error means,
 * the lock rows, times and lists as SQL. Knows nothing of jobs.
 *
 * <p>An answer that does not come is told apart by what may have happened: {@link dev.rowlock.db.DatabaseUnavailable}
 * changed nothing, {@link dev.rowlock.db.CommitUnknown} may have, {@link dev.rowlock.db.DataProblem} is about the row
 * itself, and any other {@link dev.rowlock.db.StatementProblem} is the server's and is tried again.
 */
@NullMarked
package dev.rowlock.db;

import org.jspecify.annotations.NullMarked;
