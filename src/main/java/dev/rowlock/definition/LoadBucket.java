package dev.rowlock.definition;

import java.time.Instant;

/**
 * Time interval in a forecast.
 *
 * @param usual the most tasks at once if each takes its job's median, {@code slow} if each takes its p95
 */
public record LoadBucket(Instant at, long starts, long skipped, long usual, long slow) {}
