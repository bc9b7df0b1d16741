package dev.rowlock.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Time that a client may take to send a body or to read a large answer: a grace period, and more for each byte. */
public record Patience(Duration grace, int bytesPerSecond) {

    /**
     * Patience with all clients: the grace is shorter than others wait for memory; modems are too slow for the rate.
     */
    public static final Patience STANDARD = new Patience(Duration.ofSeconds(5), 64 << 10);

    /** Returns the time for all bytes of a single transfer. */
    Duration forBytes(long bytes) {
        return grace.plusNanos(nanosFor(bytes));
    }

    /** Returns the time added for so many bytes. */
    long nanosFor(long bytes) {
        return TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond;
    }
}
