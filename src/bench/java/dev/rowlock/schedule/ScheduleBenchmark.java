package dev.rowlock.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a next fire time and the reading of a schedule cost. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ScheduleBenchmark {

    /** Expression, zone, rule, and the instant to start from. */
    @Param({
        "*/5 * * * *|UTC|SHIFT|2026-03-10T12:03:17Z",
        "*/5 * * * *|America/New_York|SHIFT|2026-03-10T12:03:17Z",
        "30 2 * * *|America/New_York|SHIFT|2026-03-10T12:03:17Z",
        "30 2 * * *|Europe/Berlin|SHIFT|2026-03-29T00:59:59Z",
        "0 0 29 2 ?|America/New_York|SHIFT|2096-03-01T00:00:00Z",
        "0 0 ? 2 SUN#5|America/New_York|SHIFT|2088-03-01T00:00:00Z",
        "0 0 ? * FRI#5|America/New_York|SHIFT|2026-01-31T00:00:00Z",
        "0 0 0 1 1 ? 2099|America/New_York|SHIFT|1971-01-01T00:00:00Z",
        "30 2 ? 3 SUN#2|America/New_York|PLAIN|2026-03-01T00:00:00Z",
        "30 2 ? 3 SUN#2|America/New_York|PLAIN|2200-03-01T00:00:00Z",
        "0 0 0 29 2 ? 2096|America/New_York|SHIFT|2097-01-01T00:00:00Z"
    })
    public String what = "";

    private String text = "";
    private ZoneId zone = ZoneId.of("UTC");
    private DaylightSaving rule = DaylightSaving.SHIFT;
    private Instant from = Instant.EPOCH;
    private Schedule schedule = Schedule.parse("@manual", zone, rule, from);

    @Setup
    public void read() {
        String[] parts = what.split("\\|", -1);
        text = parts[0];
        zone = ZoneId.of(parts[1]);
        rule = DaylightSaving.valueOf(parts[2]);
        from = Instant.parse(parts[3]);
        schedule = parse();
    }

    @Benchmark
    public Optional<Instant> next() {
        return schedule.nextAfter(from);
    }

    @Benchmark
    public Schedule parse() {
        return Schedule.parse(text, zone, rule, Instant.EPOCH);
    }
}
