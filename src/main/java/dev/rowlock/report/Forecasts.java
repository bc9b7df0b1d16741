package dev.rowlock.report;

import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.Freezes;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.report.Forecast.ForecastJob;
import dev.rowlock.report.Forecast.ForecastResult;
import dev.rowlock.report.Forecast.LoadBucket;
import dev.rowlock.report.ForecastQueries.ForecastRow;
import dev.rowlock.report.ForecastQueries.Marker;
import dev.rowlock.task.rule.Jitter;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts of load from the schedules of all jobs and their past durations. An answer is cached until a job changes or
 * its first bucket is over. Thread-safe.
 */
public final class Forecasts {

    private static final int HOT_MINUTES = 10;
    /** Number of cached answers, to different questions. */
    private static final int KEPT = 8;

    private final ForecastQueries queries;
    private final Map<ForecastRequest, CachedForecast> kept = new LinkedHashMap<>();

    public Forecasts(ForecastQueries queries) {
        this.queries = queries;
    }

    /**
     * @param width of a bucket: whole minutes
     * @param namespace null: all
     * @param node null: all; else what it may run
     */
    public record ForecastRequest(
            int hours,
            Duration width,
            @Nullable String namespace,
            @Nullable String node) {}

    /** Job and its starts in a minute. */
    public record Starting(JobKey job, long starts) {}

    /** @param jobs how many jobs start then, of which some are named */
    public record Hot(Instant at, long starts, long jobs, List<Starting> named) {}

    /**
     * @param jobs how many are foretold, {@code unmeasured} of them without a known duration
     * @param notUnderstood how many this version does not understand
     * @param allNamed false: hot minutes do not count all of their jobs
     * @param held how many occurrences come due while a freeze holds them
     * @param skippedByFreeze how many do while one skips them
     */
    public record LoadForecast(
            Instant from,
            Instant until,
            List<LoadBucket> buckets,
            List<Hot> hot,
            int jobs,
            int unmeasured,
            int notUnderstood,
            boolean allNamed,
            long held,
            long skippedByFreeze) {}

    private record CachedForecast(String marker, Instant until, LoadForecast answer) {}

    /** Returns the cached answer to this question, if nothing has changed since; costs next to nothing. */
    public Optional<LoadForecast> kept(ForecastRequest question) {
        Marker marker = queries.marker();
        synchronized (kept) {
            return Optional.ofNullable(kept.get(question))
                    .filter(before -> before.marker().equals(marker.text())
                            && marker.now().isBefore(before.until()))
                    .map(CachedForecast::answer);
        }
    }

    /**
     * Makes an answer, without waiting for that to another question.
     *
     * @throws Refused there is no such node
     */
    public LoadForecast forecast(ForecastRequest question) {
        Marker marker = queries.marker();
        Instant from = marker.now().truncatedTo(ChronoUnit.SECONDS);
        LoadForecast answer = make(question, from);
        long width = question.width().toSeconds();
        Instant over = Instant.ofEpochSecond((from.getEpochSecond() / width + 1) * width);
        synchronized (kept) {
            kept.remove(question);
            kept.put(question, new CachedForecast(marker.text(), over, answer));
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return answer;
    }

    private LoadForecast make(ForecastRequest question, Instant from) {
        Instant until = from.plus(Duration.ofHours(question.hours()));
        Forecast forecast = new Forecast(from, until);
        Copies copies = new Copies(queries.nodes(), question.node());
        Freezes freezes = queries.freezes();
        queries.jobs(question.namespace(), !freezes.areNone(), row -> add(forecast, row, copies, freezes));
        queries.executing(question.namespace(), question.node(), forecast::addExecuting);
        ForecastResult result = forecast.result(question.width(), HOT_MINUTES);
        return new LoadForecast(
                from,
                until,
                result.buckets(),
                named(result.hot()),
                result.jobs(),
                result.unmeasured(),
                result.notUnderstood(),
                result.allNamed(),
                result.held(),
                result.skipped());
    }

    private static void add(Forecast forecast, ForecastRow row, Copies copies, Freezes freezes) {
        if (row.planned().isEmpty()) {
            forecast.addNotUnderstood();
            return;
        }
        PlannedJob planned = row.planned().get();
        Integer most = planned.maxRuns();
        forecast.add(new ForecastJob(
                row.id(),
                planned,
                row.createdAt(),
                row.resumesAt(),
                row.key() == null || planned.jitter().isZero()
                        ? Duration.ZERO
                        : Jitter.offset(row.key(), planned.jitter()),
                most == null ? null : most - row.runs(),
                copies.of(planned),
                row.p50(),
                row.p95(),
                freezes.all().stream()
                        .filter(freeze -> freeze.covers(row.name(), row.labels()))
                        .toList()));
    }

    private List<Hot> named(List<Forecast.HotMinute> minutes) {
        Map<Long, JobKey> names = queries.names(minutes.stream()
                .flatMap(m -> m.named().keySet().stream())
                .distinct()
                .toList());
        return minutes.stream()
                .map(minute -> new Hot(
                        minute.at(),
                        minute.starts(),
                        minute.jobs(),
                        minute.named().entrySet().stream()
                                .flatMap(job -> Optional.ofNullable(names.get(job.getKey()))
                                        .map(name -> new Starting(name, job.getValue()))
                                        .stream())
                                .toList()))
                .toList();
    }

    /** Number of tasks that an occurrence becomes on the live nodes. */
    private static final class Copies {

        private final List<CandidateNode> nodes;
        private final @Nullable String only;
        private final Map<String, Integer> matching = new HashMap<>();

        Copies(List<CandidateNode> nodes, @Nullable String only) {
            this.nodes = nodes;
            this.only = only;
            if (only != null && nodes.stream().noneMatch(node -> node.name().equals(only))) {
                Map<String, Boolean> names = new TreeMap<>();
                nodes.forEach(node -> names.put(node.name(), true));
                throw new Refused(
                        Reason.NOT_FOUND,
                        "there is no live node " + only + "; "
                                + (names.isEmpty()
                                        ? "there is none"
                                        : "live nodes: " + String.join(", ", names.keySet())));
            }
        }

        /**
         * Returns the number of tasks of an occurrence: one for a job that runs once, as a node that may run it will
         * come; on a given node, none if that may not run it.
         */
        int of(PlannedJob job) {
            if (only == null && !job.broadcast()) {
                return 1;
            }
            int count = matching.computeIfAbsent(job.nodes(), this::count);
            return job.broadcast() ? count : Math.min(1, count);
        }

        private int count(String nodes) {
            Selector selector = Selector.parse(nodes);
            return (int) this.nodes.stream()
                    .filter(node -> only == null || only.equals(node.name()))
                    .filter(node -> node.takes(selector))
                    .count();
        }
    }
}
