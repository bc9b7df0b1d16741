package dev.rowlock.report.metrics;

import dev.rowlock.task.Distribution;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Metric families of one scrape. A family without a point is left out. */
@SuppressWarnings("ArrayRecordComponent") // written once, and never compared
final class Families {

    private final List<MetricSnapshot> all = new ArrayList<>();

    /** Series: names and values of its labels in turn, and its present value. */
    record Point(double value, String... labels) {}

    /** Series of a distribution of durations. */
    record Spread(Distribution.Read read, String... labels) {}

    /** Series of a sum without classes. */
    record Sum(long count, double sum, String... labels) {}

    /** @param name without {@code _total} */
    void counter(String name, String help, List<Point> points) {
        CounterSnapshot.Builder family = CounterSnapshot.builder().name(name).help(help);
        points.forEach(point -> family.dataPoint(CounterDataPointSnapshot.builder()
                .value(point.value())
                .labels(Labels.of(point.labels()))
                .build()));
        add(family.build());
    }

    void counter(String name, String help, long value) {
        counter(name, help, (double) value);
    }

    void counter(String name, String help, double value) {
        counter(name, help, List.of(new Point(value)));
    }

    /** Adds a series for each constant of an enumeration. */
    void counter(String name, String help, String label, Map<? extends Enum<?>, Long> values) {
        counter(name, help, points(label, values));
    }

    void gauge(String name, String help, List<Point> points) {
        GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name).help(help);
        points.forEach(point -> family.dataPoint(GaugeDataPointSnapshot.builder()
                .value(point.value())
                .labels(Labels.of(point.labels()))
                .build()));
        add(family.build());
    }

    void gauge(String name, String help, long value) {
        gauge(name, help, (double) value);
    }

    void gauge(String name, String help, double value) {
        gauge(name, help, List.of(new Point(value)));
    }

    void histogram(String name, String help, List<Spread> spreads) {
        HistogramSnapshot.Builder family =
                HistogramSnapshot.builder().name(name).help(help);
        spreads.forEach(spread -> family.dataPoint(HistogramDataPointSnapshot.builder()
                .classicHistogramBuckets(ClassicHistogramBuckets.of(
                        spread.read().bounds(), spread.read().counts()))
                .sum(spread.read().sumSeconds())
                .labels(Labels.of(spread.labels()))
                .build()));
        add(family.build());
    }

    void summary(String name, String help, List<Sum> sums) {
        SummarySnapshot.Builder family = SummarySnapshot.builder().name(name).help(help);
        sums.forEach(sum -> family.dataPoint(SummaryDataPointSnapshot.builder()
                .count(sum.count())
                .sum(sum.sum())
                .labels(Labels.of(sum.labels()))
                .build()));
        add(family.build());
    }

    MetricSnapshots all() {
        return new MetricSnapshots(all);
    }

    static List<Point> points(String label, Map<? extends Enum<?>, Long> values) {
        return values.entrySet().stream()
                .map(entry -> new Point(entry.getValue(), label, word(entry.getKey())))
                .toList();
    }

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void add(MetricSnapshot family) {
        if (!family.getDataPoints().isEmpty()) {
            all.add(family);
        }
    }
}
