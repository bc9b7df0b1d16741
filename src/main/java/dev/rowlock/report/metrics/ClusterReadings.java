package dev.rowlock.report.metrics;

import dev.rowlock.node.JobCounts;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.count.ClusterFigures;
import dev.rowlock.report.metrics.Families.Point;
import dev.rowlock.task.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Readings of what only the database knows, refreshed at most every few seconds, however often they are requested.
 * While the database is away, the last ones, with their age. Thread-safe; one thread at a time asks the database.
 */
final class ClusterReadings {

    private static final Logger log = LoggerFactory.getLogger(ClusterReadings.class);

    /** Age up to which a reading is not refreshed. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    /** Time that a scrape waits for a reading. */
    private static final Duration PATIENCE = Duration.ofMillis(300);

    private final OverviewQueries queries;
    private final JobCounts jobs;
    private final Executor beside;
    private final LongSupplier nanos;
    private @Nullable FutureTask<CachedFigures> asked;
    private volatile @Nullable CachedFigures last;

    private record CachedFigures(ClusterFigures figures, long atNanos) {}

    /** @param beside asks the database, one thing at a time */
    ClusterReadings(OverviewQueries queries, JobCounts jobs, Executor beside, LongSupplier nanos) {
        this.queries = queries;
        this.jobs = jobs;
        this.beside = beside;
        this.nanos = nanos;
    }

    void addTo(Families families) {
        @Nullable CachedFigures seen = seen();
        if (seen == null) {
            return; // there is nothing to tell, and zero would be a lie
        }
        families.gauge(
                "rowlock_cluster_reading_age_seconds",
                "The age of those that are read from the database.",
                (nanos.getAsLong() - seen.atNanos()) / 1e9);
        ClusterFigures figures = seen.figures();
        List<Point> waiting = new ArrayList<>();
        for (Hold hold : Hold.values()) {
            waiting.add(new Point(figures.waiting().getOrDefault(hold, 0L), "hold", Families.word(hold)));
        }
        families.gauge("rowlock_tasks_waiting", "Tasks of the cluster that are held, by what holds them.", waiting);
        families.gauge(
                "rowlock_calendars_ending",
                "Calendars of jobs whose knownUntil is at most 60 days away, or past.",
                figures.calendarsEnding());
        if (figures.verification() != null) {
            families.gauge(
                    "rowlock_verification_timestamp_seconds",
                    "When all fire times of all jobs were last verified.",
                    figures.verification().at().toEpochMilli() / 1e3);
            families.gauge(
                    "rowlock_verification_wrong_jobs",
                    "Jobs that did not add up then.",
                    figures.verification().wrong());
        }
    }

    private @Nullable CachedFigures seen() {
        CachedFigures known = last;
        if (known != null && nanos.getAsLong() - known.atNanos() < FRESH.toNanos()) {
            return known;
        }
        try {
            return task().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            return last;
        } catch (ExecutionException failed) {
            log.debug("what is told of the cluster cannot be read: {}", Objects.toString(failed.getCause()));
            return last;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return last;
        }
    }

    private synchronized FutureTask<CachedFigures> task() {
        if (asked == null || asked.isDone()) {
            asked = new FutureTask<>(this::read);
            beside.execute(asked);
        }
        return asked;
    }

    private CachedFigures read() {
        long began = nanos.getAsLong();
        Set<Long> counted = new HashSet<>();
        jobs.all().values().forEach(job -> counted.add(job.jobId()));
        ClusterFigures figures = queries.figures(counted);
        jobs.retain(counted, figures.withMetrics());
        CachedFigures seen = new CachedFigures(figures, began);
        last = seen;
        return seen;
    }
}
