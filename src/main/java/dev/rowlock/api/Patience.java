package dev.rowlock.api;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long a client may take to send a body or to read a large answer: a while, and more for each byte. */
public record Patience(Duration grace, int bytesPerSecond) {

    /** Its grace is shorter than what others wait for memory; modems are not. */
    public static final Patience STANDARD = new Patience(Duration.ofSeconds(5), 64 << 10);

    /** All of it, for what is sent at once. */
    Duration forBytes(long bytes) {
        return grace.plusNanos(nanosFor(bytes));
    }

    /** What is added for so many bytes. */
    long nanosFor(long bytes) {
        return TimeUnit.SECONDS.toNanos(bytes) / bytesPerSecond;
    }
}
