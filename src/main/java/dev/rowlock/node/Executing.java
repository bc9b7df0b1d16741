package dev.rowlock.node;

import dev.rowlock.cluster.Lease.Trust;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.store.Started;

/**
 * Task whose command was handed to the launcher.
 *
 * @param policy of its job, made once for all that it starts
 * @param trust in the session that it was started under
 */
public record Executing(Started started, JobDefinition definition, FirePolicy policy, Trust trust) {

    public Task task() {
        return started.task();
    }

    /** Returns the claim that it executes under; every write of its result names it. */
    public LaunchId launch() {
        return task().ref().held();
    }
}
