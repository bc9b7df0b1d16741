package dev.rowlock.store;

import java.time.Instant;

/**
 * A session as people see it.
 *
 * @param heartbeatAgeMs by the database's clock
 * @param clockSkewMs the host's wall clock minus the database's
 */
public record SessionView(
        String id,
        String node,
        String host,
        long pid,
        String version,
        String state,
        Instant startedAt,
        Instant heartbeatAt,
        long heartbeatAgeMs,
        int capacity,
        int prepared,
        int executing,
        long clockSkewMs) {}
