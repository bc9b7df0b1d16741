package dev.rowlock.task.store;

import dev.rowlock.definition.Overrides;
import dev.rowlock.task.Task;

/**
 * Task that was moved to executing by a commit known to have succeeded: its command may be started.
 *
 * @param fencingToken grows with every start of the job
 * @param overrides of this one run
 */
public record Started(Task task, long fencingToken, Overrides overrides) {}
