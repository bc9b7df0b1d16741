package dev.rowlock.store.task;

import dev.rowlock.job.LaunchId;

/**
 * A prepared task that is to be started.
 *
 * @param held the launch id that the row must still carry
 * @param launch the one it will carry: the same when a session fires its own, a new one when it takes over another's
 */
public record Claim(long id, long jobId, int version, int shard, LaunchId held, LaunchId launch) {

    public static Claim fire(PreparedTask task) {
        return new Claim(task.id(), task.jobId(), task.version(), task.shard(), task.launch(), task.launch());
    }

    boolean isOwn() {
        return held.equals(launch);
    }
}
