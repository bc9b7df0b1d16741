/**
 * Types of a task: {@link dev.rowlock.task.TaskRef}, by which it is claimed, {@link dev.rowlock.task.Task}, its row,
 * and {@link dev.rowlock.task.Origin}, who requested it. No I/O, no clock, no SQL.
 *
 * <p>A task goes {@code IDLE → PREPARED → EXECUTING} and ends as a row of history. The next occurrence of a job has no
 * row yet: it is where the cursor of the job stands, and is read as a {@code Task}, too.
 */
@NullMarked
package dev.rowlock.task;

import org.jspecify.annotations.NullMarked;
