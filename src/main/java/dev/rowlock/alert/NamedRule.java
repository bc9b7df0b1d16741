package dev.rowlock.alert;

import java.time.Instant;

/**
 * Rule and its name.
 *
 * @param createdAt what happened before raises nothing
 */
public record NamedRule(String name, AlertRule rule, Instant createdAt) {}
