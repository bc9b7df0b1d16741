/**
 * What is remembered? One set of statements for each change of state. Reads facts under locks, and writes what was
 * decided.
 *
 * <p>Its rooms open only onto those before them: {@code audit} (who changed what), {@code history}
 * (what ended), {@code task} (what is live, and each arrow of the state machine), {@code job} (definitions and their
 * versions), {@code session} (who is alive, and what becomes of the tasks of who is not).
 *
 * <p>Lock order in every transaction: the lock row {@code session}, then {@code task-NN} by name, then all other rows.
 * Every write to a task that somebody holds names the launch id that it expects; a row count of 0 means that it was
 * lost to somebody else, which is a result and not an error.
 */
@NullMarked
package dev.rowlock.store;

import org.jspecify.annotations.NullMarked;
