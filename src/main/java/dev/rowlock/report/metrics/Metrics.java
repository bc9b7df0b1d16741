package dev.rowlock.report.metrics;

import dev.rowlock.http.RequestCounts;
import dev.rowlock.node.Counts;
import dev.rowlock.report.OverviewQueries;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Metrics of a node, served at {@code /metrics}. Thread-safe. */
public final class Metrics implements MetricsPage, AutoCloseable {

    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final NodeFamilies node;
    private final HttpFamilies http;
    private final ClusterReadings cluster;
    private @Nullable Exposition exposition;

    /** @param beside asks the database, one thing at a time */
    public Metrics(
            NodeIdentity about,
            Counts counts,
            NodeGauges gauges,
            RequestCounts requests,
            OverviewQueries queries,
            Executor beside,
            LongSupplier nanos) {
        this.node = new NodeFamilies(about.node(), about.version(), counts, gauges);
        this.http = new HttpFamilies(requests);
        this.cluster = new ClusterReadings(queries, counts.jobs(), beside, nanos);
    }

    /** Node that serves the metrics. */
    public record NodeIdentity(String node, String version) {}

    @Override
    public MetricsText page(@Nullable String accept) {
        boolean openMetrics =
                accept != null && accept.toLowerCase(Locale.ROOT).contains("application/openmetrics-text");
        String type = openMetrics ? OPEN_METRICS : PROMETHEUS;
        return new MetricsText(type, exposition().text(type));
    }

    private synchronized Exposition exposition() {
        if (exposition == null) {
            exposition = new Exposition(this::families);
        }
        return exposition;
    }

    private MetricSnapshots families() {
        Families families = new Families();
        node.addTo(families);
        cluster.addTo(families);
        http.addTo(families);
        return families.all();
    }

    @Override
    public synchronized void close() {
        if (exposition != null) {
            exposition.close();
        }
    }
}
