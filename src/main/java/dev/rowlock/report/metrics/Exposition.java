package dev.rowlock.report.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Micrometer, with its binders for the JVM and the process; our own families come from one collector, as the engine
 * keeps its counts itself. Loads some six hundred classes, so it is created on first use.
 */
final class Exposition implements AutoCloseable {

    /** Meters that repeat others in different units, or are about the machine and not the process. */
    private static final Set<String> LEFT_OUT =
            Set.of("process.cpu.time", "system.load.average.1m", "system.cpu.usage", "system.cpu.count");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /** @param own asked at each scrape */
    Exposition(Supplier<MetricSnapshots> own) {
        registry.config().meterFilter(MeterFilter.deny(Exposition::isLeftOut));
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        MultiCollector collector = own::get;
        registry.getPrometheusRegistry().register(collector);
    }

    private static boolean isLeftOut(Meter.Id id) {
        return LEFT_OUT.contains(id.getName());
    }

    byte[] text(String contentType) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(64 << 10);
        try {
            registry.scrape(text, contentType);
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return text.toByteArray();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
