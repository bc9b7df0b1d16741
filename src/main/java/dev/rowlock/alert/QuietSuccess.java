package dev.rowlock.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds within which a success matters to no rule, so that it can only close alerts of its job. A null bound: no rule
 * has that condition.
 *
 * @param atLeast it took no less
 * @param below it took less
 * @param deadline it started no longer than this after its fire time
 */
public record QuietSuccess(
        @Nullable Duration atLeast,
        @Nullable Duration below,
        @Nullable Duration deadline) {}
