package dev.rowlock.offence.node;

/** Offences, kept to see the rules fail. */
final class ReadsClock {
    private ReadsClock() {}

    static java.time.Instant instant() {
        return java.time.Instant.now();
    }

    static long millis() {
        return System.currentTimeMillis();
    }

    static java.time.ZonedDateTime zoned() {
        return java.time.ZonedDateTime.now(java.time.ZoneOffset.UTC);
    }

    static java.time.Clock system() {
        return java.time.Clock.systemUTC();
    }
}
