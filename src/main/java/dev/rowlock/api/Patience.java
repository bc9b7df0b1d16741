package dev.rowlock.api;

import java.time.Duration;

/** How long a client may take to send a body or to read a large answer: a while, and more for each byte. */
public record Patience(Duration grace, int bytesPerSecond) {

    /** Its grace is shorter than what others wait for memory; modems are not. */
    public static final Patience STANDARD = new Patience(Duration.ofSeconds(5), 64 << 10);

    Duration forBytes(long bytes) {
        return grace.plusMillis(1000 * bytes / bytesPerSecond);
    }
}
