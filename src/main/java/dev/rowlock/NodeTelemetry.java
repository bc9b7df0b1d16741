package dev.rowlock;

import dev.rowlock.access.MetricsToken;
import dev.rowlock.cluster.Lease;
import dev.rowlock.config.Config;
import dev.rowlock.db.Database;
import dev.rowlock.http.RequestCounts;
import dev.rowlock.node.Loop;
import dev.rowlock.node.NodeContext;
import dev.rowlock.node.TaskTraces;
import dev.rowlock.report.OverviewQueries;
import dev.rowlock.report.metrics.About;
import dev.rowlock.report.metrics.Metrics;
import dev.rowlock.report.metrics.Metrics.NodeIdentity;
import dev.rowlock.report.metrics.NodeGauges;
import dev.rowlock.report.metrics.Telemetry;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.traces.OtelTraces;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.Properties;

/** Telemetry of a node, made from settings and from what its agents know anyway. */
final class NodeTelemetry implements AutoCloseable {

    private final Metrics metrics;
    private final Telemetry telemetry;

    NodeTelemetry(Config config, String version, Node node, Database pool) {
        RequestCounts requests = new RequestCounts();
        MetricsToken token = new MetricsToken(
                config.metrics().access() == Config.MetricsAccess.OPEN,
                config.metrics().token());
        this.metrics = new Metrics(
                new NodeIdentity(config.node().name(), version),
                node.agents().node().counts(),
                gauges(node.agents(), node.health(), Clock.systemUTC()),
                requests,
                new OverviewQueries(pool),
                Loop.beside("metrics"),
                System::nanoTime);
        this.telemetry = new Telemetry(
                metrics,
                token,
                token.refusal(),
                requests,
                () -> new About(
                        version, revision(), Runtime.version().toString(), node.schemaVersion(), FeatureLevel.KNOWN));
    }

    /** Returns the traces that the settings ask for. */
    static TaskTraces traces(Config config, String version) {
        String endpoint = config.otelEndpoint();
        return endpoint == null
                ? TaskTraces.NONE
                : OtelTraces.to(endpoint, config.node().name(), version);
    }

    Telemetry telemetry() {
        return telemetry;
    }

    @Override
    public void close() {
        metrics.close();
    }

    private static NodeGauges gauges(Agents agents, NodeHealth health, Clock hostClock) {
        NodeContext node = agents.node();
        return new NodeGauges(
                () -> health.notReady().isEmpty(),
                () -> node.lease().current().isPresent(),
                () -> heartbeatAge(node),
                () -> clockSkew(node, hostClock),
                () -> node.clock().doubt().isPresent(),
                () -> node.localTasks().isDraining() || agents.session().known().isDrained(),
                () -> agents.session().known().members().size(),
                node.localTasks()::running,
                node.localTasks()::preparedCount,
                node.slots()::capacity,
                reason ->
                        agents.scheduling().backlog().late(reason, node.clock().now()),
                agents.results().queue()::size,
                agents.results().queue()::journalBytes,
                agents.results().outputs()::waiting,
                agents.session()::lost);
    }

    /** Returns the age of the heartbeat: trust ends a fence after the renewal that it counts from was requested. */
    private static OptionalDouble heartbeatAge(NodeContext node) {
        return node.lease().last().map(Lease.Trust::untilNanos).stream()
                .mapToDouble(until -> Duration.ofNanos(node.nanos().getAsLong() - until)
                                .plus(node.settings().fence())
                                .toNanos()
                        / 1e9)
                .findFirst();
    }

    private static OptionalDouble clockSkew(NodeContext node, Clock hostClock) {
        return node.clock().isKnown()
                ? OptionalDouble.of(Duration.between(node.clock().now(), hostClock.instant())
                                .toNanos()
                        / 1e9)
                : OptionalDouble.empty();
    }

    private static String revision() {
        Properties build = new Properties();
        try (InputStream file = NodeTelemetry.class.getResourceAsStream("build.properties")) {
            if (file != null) {
                build.load(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties", e);
        }
        return build.getProperty("revision", "unknown");
    }
}
