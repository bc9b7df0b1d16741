/**
 * Transitions of a task, one class each: acquire, start, finish, release, misfire, lose, set aside, and what the edit of
 * a job does to tasks. Each locks, reads facts, decides by {@code task.rule}, and writes.
 */
@NullMarked
package dev.rowlock.task.transition;

import org.jspecify.annotations.NullMarked;
