package dev.rowlock.node;

import dev.rowlock.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** A period, counted from the epoch. */
public record EverySchedule(Duration period) implements Schedule {

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        long millis = period.toMillis();
        return Optional.of(Instant.ofEpochMilli((Math.floorDiv(t.toEpochMilli(), millis) + 1) * millis));
    }

    @Override
    public String normalized() {
        return "@every " + period;
    }

    @Override
    public String description() {
        return normalized();
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }

    @Override
    public List<String> warnings(Instant from) {
        return List.of();
    }
}
