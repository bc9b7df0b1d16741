package dev.rowlock.task.store;

import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.Placement;

/**
 * Prepared task that is to be started.
 *
 * @param task as it was prepared: its row must still carry that launch id
 * @param launch the launch id that it will carry: the same when a session fires its own, a new one when it takes over
 *     another's
 * @param policy of its job at that version
 */
public record Claim(Task task, LaunchId launch, FirePolicy policy) {

    /** Returns the claim of the session that has prepared the task. */
    public static Claim fire(Task task) {
        return new Claim(task, task.ref().held(), FirePolicy.PLAIN);
    }

    /** Returns the same claim under a policy that was read later. */
    public Claim with(FirePolicy other) {
        return other.equals(policy) ? this : new Claim(task, launch, other);
    }

    public long id() {
        return task.id();
    }

    public long jobId() {
        return task.jobId();
    }

    public int version() {
        return task.version();
    }

    public int stripe() {
        return task.stripe();
    }

    /** Returns the launch id that the row must still carry. */
    public LaunchId held() {
        return task.ref().held();
    }

    /**
     * Returns whether it and others of its job may wait for something other than each other: for their group, or for a
     * node.
     */
    public boolean mayWait() {
        return policy.group() != null || policy.maxPerNode() != null || task.selector() != Placement.ANY;
    }

    /** Returns whether the session starts what it has prepared itself; else it takes over. */
    public boolean isOwn() {
        return held().equals(launch);
    }
}
