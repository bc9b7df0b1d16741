package dev.rowlock.definition;

import java.time.Instant;

/**
 * Jobs that share a limit.
 *
 * @param executing how many of its tasks do
 * @param waiting how many of its tasks wait for it
 */
public record Group(
        String name,
        int limit,
        String description,
        long executing,
        long waiting,
        Instant createdAt,
        Instant updatedAt) {}
