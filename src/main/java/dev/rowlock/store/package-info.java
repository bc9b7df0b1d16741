/**
 * What is remembered? One set of statements for each change of state. Reads facts under locks, and writes what was
 * decided.
 *
 * <p>Its rooms open only onto those before them: {@code job} (definitions and their versions), {@code session} (who is
 * alive, and what becomes of the tasks of who is not), {@code aggregate}, {@code alert}. What is live, each arrow of
 * the state machine, and what ended are in {@code task}.
 *
 * <p>Lock order in every transaction: the lock row {@code session}, then {@code task-NN} by name, then all other rows.
 * Every write to a task that somebody holds names the launch id that it expects; a row count of 0 means that it was
 * lost to somebody else, which is a result and not an error.
 */
@NullMarked
package dev.rowlock.store;

import org.jspecify.annotations.NullMarked;
