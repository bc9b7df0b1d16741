package dev.rowlock.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Session as the table shows it.
 *
 * @param beat rises with every heartbeat
 * @param heartbeatAt for people; nothing is decided by it
 * @param timeout how long its beat must stand still before it may be expired; null: its version does not say
 * @param settings those that should be the same on all nodes, by key, and {@link #RUNS_AS}; empty if its version does
 *     not say
 * @param configured what its configuration says, where an operator may have said something else
 * @param drained whether an operator wants it to take no work
 */
public record ClusterSession(
        String id,
        Host host,
        String node,
        String version,
        Map<String, String> labels,
        int capacity,
        Instant startedAt,
        long beat,
        Instant heartbeatAt,
        SessionState state,
        int prepared,
        int executing,
        long clockSkewMillis,
        @Nullable Duration timeout,
        Map<String, String> settings,
        Configured configured,
        boolean drained) {

    /** State of a session: whether it takes work. */
    public enum SessionState {
        ALIVE,
        /** The session finishes what it executes and takes nothing more. */
        DRAINING,
        /** Like {@link #DRAINING}, because the node was asked to stop. */
        STOPPING
    }

    /** @param pidStart in clock ticks since boot: tells processes with one id apart */
    public record Host(String name, String bootId, long pid, long pidStart) {

        /** Returns whether both are the same life of the same process. */
        public boolean isSameProcess(Host other) {
            return bootId.equals(other.bootId) && pid == other.pid && pidStart == other.pidStart;
        }
    }

    /** Labels and capacity from a node's configuration. */
    public record Configured(Map<String, String> labels, int capacity) {

        public Configured {
            labels = Map.copyOf(labels);
        }
    }

    /** Returns whether the session takes due tasks. */
    public boolean takesWork() {
        return state == SessionState.ALIVE && !drained;
    }

    /** Key of {@code settings} under which a node says whether it can run commands as any user. */
    public static final String RUNS_AS = "exec.runs-as-others";

    /** Returns whether the node can run commands as any user. */
    public boolean runsAsOthers() {
        return "true".equals(settings.get(RUNS_AS));
    }

    /** Key of {@code settings} under which a node names the keys that it can decrypt secrets with. */
    public static final String KEYS = "secrets.key-ids";

    /** Key of {@code settings} under which a node names the version of its time zone rules. */
    public static final String ZONE_RULES = "java.time-zone-rules";

    /** Returns whether the node can decrypt what is encrypted under a key. */
    public boolean hasKey(String keyId) {
        return Arrays.asList(settings.getOrDefault(KEYS, "").split(",", -1)).contains(keyId);
    }

    public ClusterSession {
        labels = Map.copyOf(labels);
        settings = Map.copyOf(settings);
    }
}
