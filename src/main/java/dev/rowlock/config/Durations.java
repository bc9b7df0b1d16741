package dev.rowlock.config;

import java.time.Duration;

/** Durations as the settings write them. */
final class Durations {

    private static final String[] UNITS = {"d", "h", "m", "s", "ms"};

    private Durations() {}

    /** Whole units, the largest first: {@code 1h30m}; zero is {@code 0s}. */
    static String text(Duration duration) {
        long[] parts = {
            duration.toDaysPart(),
            duration.toHoursPart(),
            duration.toMinutesPart(),
            duration.toSecondsPart(),
            duration.toMillisPart()
        };
        StringBuilder text = new StringBuilder();
        for (int unit = 0; unit < UNITS.length; unit++) {
            if (parts[unit] != 0) {
                text.append(parts[unit]).append(UNITS[unit]);
            }
        }
        return text.isEmpty() ? "0s" : text.toString();
    }
}
