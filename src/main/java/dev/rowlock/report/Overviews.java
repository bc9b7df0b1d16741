package dev.rowlock.report;

import dev.rowlock.report.count.ClusterHealth;
import java.time.Duration;
import java.util.Objects;
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
 * Overview of the cluster's health, given within a second whatever the database does: if that is slow or away, as last
 * seen, and marked so. Thread-safe; one thread at a time asks the database.
 */
public final class Overviews {

    private static final Logger log = LoggerFactory.getLogger(Overviews.class);

    /** Age up to which an overview is not read again. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofMillis(800);

    private final OverviewQueries queries;
    private final Cluster cluster;
    private final Executor beside;
    private final LongSupplier nanos;

    private @Nullable FutureTask<OverviewReading> asked;
    private @Nullable OverviewReading last;
    private long sinceNanos;
    private boolean troubled;

    /** @param beside asks the database, one thing at a time */
    public Overviews(OverviewQueries queries, Cluster cluster, Executor beside, LongSupplier nanos) {
        this.queries = queries;
        this.cluster = cluster;
        this.beside = beside;
        this.nanos = nanos;
    }

    /** State of the database, by its answers. */
    public enum DatabaseState {
        OK,
        /** The database has not answered yet. */
        SLOW,
        /** The database cannot be reached, or refuses to answer. */
        AWAY
    }

    /**
     * @param trouble since when it does not answer as it should; zero: it does
     * @param problem what went wrong; null: nothing, or it is just slow
     */
    public record DatabaseHealth(
            DatabaseState state, Duration trouble, @Nullable String problem) {}

    /** @param took how long the database needed for it */
    public record OverviewReading(ClusterHealth health, Cluster.Nodes nodes, Duration took, long atNanos) {}

    /**
     * @param seen null: nothing was seen yet
     * @param age of what was seen
     */
    public record Overview(@Nullable OverviewReading seen, Duration age, DatabaseHealth database) {}

    public Overview overview() {
        FutureTask<OverviewReading> task = task();
        if (task == null) {
            return answer(DatabaseState.OK, null);
        }
        try {
            task.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return answer(DatabaseState.OK, null);
        } catch (TimeoutException slow) {
            return answer(DatabaseState.SLOW, null);
        } catch (ExecutionException failed) {
            Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
            log.warn("the overview cannot be read: {}", cause.toString());
            return answer(DatabaseState.AWAY, cause.getMessage());
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return answer(DatabaseState.SLOW, null);
        }
    }

    /** Returns the running query; null if what is known is fresh. */
    private synchronized @Nullable FutureTask<OverviewReading> task() {
        OverviewReading known = last;
        if (known != null && !troubled && nanos.getAsLong() - known.atNanos() < FRESH.toNanos()) {
            return null;
        }
        if (asked == null || asked.isDone()) {
            asked = new FutureTask<>(this::read);
            beside.execute(asked);
        }
        return asked;
    }

    private OverviewReading read() {
        long began = nanos.getAsLong();
        ClusterHealth health = queries.read();
        Cluster.Nodes nodes = cluster.nodes();
        return keep(new OverviewReading(health, nodes, Duration.ofNanos(nanos.getAsLong() - began), began));
    }

    /** Keeps an overview, also one that nobody waits for any more. */
    private synchronized OverviewReading keep(OverviewReading seen) {
        last = seen;
        return seen;
    }

    private synchronized Overview answer(DatabaseState state, @Nullable String problem) {
        boolean trouble = state != DatabaseState.OK;
        if (trouble != troubled) {
            troubled = trouble;
            sinceNanos = nanos.getAsLong();
        }
        OverviewReading seen = last;
        Duration age = seen == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - seen.atNanos());
        Duration since = trouble ? Duration.ofNanos(nanos.getAsLong() - sinceNanos) : Duration.ZERO;
        return new Overview(seen, age, new DatabaseHealth(state, since, problem));
    }
}
