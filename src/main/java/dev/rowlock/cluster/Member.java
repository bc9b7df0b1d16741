package dev.rowlock.cluster;

import java.time.Instant;
import java.util.Map;

/**
 * A session as the table shows it.
 *
 * @param beat rises with every heartbeat
 * @param heartbeatAt for people; nothing is decided by it
 */
public record Member(
        String id,
        Host host,
        String node,
        String version,
        Map<String, String> labels,
        int capacity,
        Instant startedAt,
        long beat,
        Instant heartbeatAt,
        State state,
        int prepared,
        int executing,
        long clockSkewMillis) {

    /** Whether a session takes work. */
    public enum State {
        ALIVE,
        /** Finishes what it executes and takes nothing more. */
        DRAINING
    }

    /**
     * Which process of which machine: two of them are equal only if they are the same life of the same process.
     *
     * @param pidStart in clock ticks since boot
     */
    public record Host(String name, String bootId, long pid, long pidStart) {}

    public Member {
        labels = Map.copyOf(labels);
    }
}
