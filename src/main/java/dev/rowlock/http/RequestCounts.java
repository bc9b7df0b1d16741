package dev.rowlock.http;

import dev.rowlock.task.Distribution;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Number of HTTP requests by route since the process began. Thread-safe; bounded by the table of routes. */
public final class RequestCounts {

    private static final List<Duration> BOUNDS = Stream.of(10L, 50L, 250L, 1_000L, 5_000L, 30_000L)
            .map(Duration::ofMillis)
            .toList();
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final Map<AnswerKey, LongAdder> answers = new ConcurrentHashMap<>();
    private final Map<RouteKey, Distribution> durations = new ConcurrentHashMap<>();
    private final LongAdder refused = new LongAdder();

    /** @param route as it was declared, with the names of its parameters */
    public record RouteKey(String method, String route) {}

    /** @param status of the answer */
    public record AnswerKey(String method, String route, int status) {}

    /**
     * Counts an answered request.
     *
     * @param route as it was declared, never what the client sent
     */
    public void answered(String method, String route, int status, Duration took) {
        String known = METHODS.contains(method) ? method : "other";
        answers.computeIfAbsent(new AnswerKey(known, route, status), answer -> new LongAdder())
                .increment();
        durations
                .computeIfAbsent(new RouteKey(known, route), key -> new Distribution(BOUNDS))
                .addNanos(took.toNanos());
    }

    /** Counts a request that was told to come again, before anybody looked at it. */
    public void refusedOne() {
        refused.increment();
    }

    public Map<AnswerKey, Long> answered() {
        Map<AnswerKey, Long> sums = new HashMap<>();
        answers.forEach((answer, times) -> sums.put(answer, times.sum()));
        return sums;
    }

    public Map<RouteKey, Distribution> durations() {
        return Map.copyOf(durations);
    }

    public long refused() {
        return refused.sum();
    }
}
