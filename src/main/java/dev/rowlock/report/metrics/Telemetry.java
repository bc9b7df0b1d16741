package dev.rowlock.report.metrics;

import dev.rowlock.http.RequestCounts;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Telemetry that the API serves, and counts of its requests.
 *
 * @param mayRead whether metrics may be read with this token; asked with null if none was sent
 * @param refusal what those are told who may not
 */
public record Telemetry(
        MetricsPage metrics,
        Predicate<@Nullable String> mayRead,
        String refusal,
        RequestCounts requests,
        Supplier<About> about) {}
