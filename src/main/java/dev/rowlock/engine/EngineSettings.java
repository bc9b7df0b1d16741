package dev.rowlock.engine;

import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;

/**
 * What the loops go by.
 *
 * @param fenceGrace how long before the fence commands are asked to end
 * @param keepsCommands whether commands go on at the fence, in the hope that nobody expires the session
 * @param preparedLimit the most tasks prepared ahead of time
 * @param batch the most tasks in one transaction
 * @param retention how long history is kept; zero: for ever
 * @param keptVersions how many versions of a job are kept at the least
 * @param auditKept how long the audit is kept; zero: for ever
 * @param scheduleZone of schedules that name none when they are saved
 */
public record EngineSettings(
        String node,
        int capacity,
        Duration heartbeat,
        Duration fence,
        Duration fenceGrace,
        Duration timeout,
        boolean keepsCommands,
        Duration horizon,
        Duration takeover,
        Duration misfireThreshold,
        int preparedLimit,
        int batch,
        Duration retention,
        int keptVersions,
        Duration auditKept,
        ZoneId scheduleZone) {

    /** Those that should be the same on all nodes, as they are written in the configuration. */
    public Map<String, String> shared() {
        return Map.of(
                "session.heartbeat", Durations.format(heartbeat),
                "session.fence", Durations.format(fence),
                "session.timeout", Durations.format(timeout),
                "session.on-disconnect", keepsCommands ? "KEEP" : "KILL",
                "scheduler.takeover", Durations.format(takeover),
                "misfire.threshold", Durations.format(misfireThreshold),
                "schedule.zone", scheduleZone.getId());
    }

    /** How close to its time a task may be taken by a session that does not prefer its shard. */
    public Duration spill() {
        Duration sixth = horizon.dividedBy(6);
        return sixth.compareTo(takeover) > 0 ? sixth : takeover;
    }

    /** How long a failover may take before the log speaks of an outage: well before commands are ended. */
    public Duration quietFailover() {
        Duration half = fence.minus(fenceGrace).dividedBy(2);
        Duration most = Duration.ofSeconds(10);
        return half.compareTo(most) < 0 ? half : most;
    }
}
