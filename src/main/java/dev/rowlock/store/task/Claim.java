package dev.rowlock.store.task;

import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.FirePolicy;
import dev.rowlock.policy.Placement;
import java.time.Instant;

/**
 * A prepared task that is to be started.
 *
 * @param held the launch id that the row must still carry
 * @param launch the one it will carry: the same when a session fires its own, a new one when it takes over another's
 * @param policy of its job at that version
 * @param dueAt when it was to start
 * @param selector which nodes may run it, see {@link SelectorStore}
 */
public record Claim(
        long id,
        long jobId,
        int version,
        int stripe,
        LaunchId held,
        LaunchId launch,
        FirePolicy policy,
        Instant dueAt,
        int selector) {

    public static Claim fire(PreparedTask task) {
        return new Claim(
                task.id(),
                task.jobId(),
                task.version(),
                task.stripe(),
                task.launch(),
                task.launch(),
                FirePolicy.PLAIN,
                task.dueAt(),
                task.selector());
    }

    public Claim with(FirePolicy other) {
        return other.equals(policy)
                ? this
                : new Claim(id, jobId, version, stripe, held, launch, other, dueAt, selector);
    }

    /** Whether it and others of its job may wait for something else than each other: for their group, or for a node. */
    boolean mayWait() {
        return policy.group() != null || policy.maxPerNode() != null || selector != Placement.ANY;
    }

    boolean isOwn() {
        return held.equals(launch);
    }
}
