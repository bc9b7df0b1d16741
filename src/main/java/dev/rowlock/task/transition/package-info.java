/**
 * Transitions of a task, one class each: acquire, start, finish, release, misfire, lose, set aside, and what the
 * edit of a job does to its tasks. Each locks, reads facts, decides by {@code task.rule}, and writes.
 *
 * <p>Lock order in every transaction: the lock row {@code session}, then {@code task-NN} by name, then all other
 * rows. Every write to a task that somebody holds names the launch id that it expects; a row count of 0 means that
 * it was lost to somebody else, which is a result and not an error.
 */
@NullMarked
package dev.rowlock.task.transition;

import org.jspecify.annotations.NullMarked;
