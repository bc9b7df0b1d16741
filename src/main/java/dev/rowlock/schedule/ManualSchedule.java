package dev.rowlock.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Schedule {@code @manual}: never by itself. */
record ManualSchedule(ZoneId zone) implements Schedule {

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        return Optional.empty();
    }

    @Override
    public String normalized() {
        return "@manual";
    }

    @Override
    public String description() {
        return "only when asked for";
    }

    @Override
    public boolean isManual() {
        return true;
    }
}
