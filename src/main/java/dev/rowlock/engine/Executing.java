package dev.rowlock.engine;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.store.task.StartedTask;

/**
 * A task whose command was handed to the launcher.
 *
 * @param trust the session it was started under
 */
public record Executing(StartedTask task, JobDefinition definition, Trust trust) {}
