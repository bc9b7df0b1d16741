package dev.rowlock.schedule;

import java.time.Instant;
import java.util.Optional;

/** Range of fire times: the years 1 to 9999. As seconds since 1970-01-01T00:00Z. */
final class FireTimes {

    static final long SECONDS_PER_DAY = 86_400;

    static final long FIRST = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    /** Absence of a fire time. */
    static final long NONE = Long.MAX_VALUE;

    private FireTimes() {}

    static Optional<Instant> instant(long second) {
        return second == NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
    }
}
