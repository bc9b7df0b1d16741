package dev.rowlock.node;

import dev.rowlock.field.KeptFor;
import java.time.Duration;
import java.util.Map;

/**
 * Settings of the loops.
 *
 * @param fenceGrace how long before the fence commands are asked to end
 * @param preparedLimit the most tasks prepared ahead of time
 * @param batch the most tasks in one transaction
 * @param retention how long history is kept; zero: for ever
 * @param keptVersions how many versions of a job are kept at least
 * @param auditKept how long the audit is kept; zero: for ever
 * @param shared those that should be the same on all nodes, by name, as they are written in the configuration
 */
public record EngineSettings(
        String node,
        int capacity,
        Duration heartbeat,
        Duration fence,
        Duration fenceGrace,
        Duration timeout,
        Duration horizon,
        Duration takeover,
        Duration misfireThreshold,
        int preparedLimit,
        int batch,
        Duration retention,
        int keptVersions,
        Duration auditKept,
        Map<String, String> shared) {

    /** Returns how long this node is configured to keep what has ended. */
    public KeptFor kept() {
        return new KeptFor(retention, auditKept, keptVersions);
    }

    /** Returns how close to its time a task may be taken by a session that does not prefer its stripe. */
    public Duration spill() {
        Duration sixth = horizon.dividedBy(6);
        return sixth.compareTo(takeover) > 0 ? sixth : takeover;
    }

    /** Returns how long a failover may take before the log reports an outage: well before commands are ended. */
    public Duration quietFailover() {
        Duration half = fence.minus(fenceGrace).dividedBy(2);
        Duration most = Duration.ofSeconds(10);
        return half.compareTo(most) < 0 ? half : most;
    }
}
