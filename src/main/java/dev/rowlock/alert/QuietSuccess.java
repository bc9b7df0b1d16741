package dev.rowlock.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A success that says nothing to any rule: it can only end what was told of its job. Null: no rule asks for that.
 *
 * @param atLeast it took no less
 * @param below it took less
 * @param deadline it started no longer than this after its fire time
 */
public record QuietSuccess(
        @Nullable Duration atLeast,
        @Nullable Duration below,
        @Nullable Duration deadline) {}
