package dev.rowlock.cluster;

import java.time.Instant;

/** Last session of a node that has ended, with the reason for people. */
public record EndedSession(
        String id,
        String node,
        String host,
        long pid,
        String version,
        int capacity,
        Instant startedAt,
        Instant heartbeatAt,
        Instant goneAt,
        String reason) {}
