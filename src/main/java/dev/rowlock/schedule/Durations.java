package dev.rowlock.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 500ms}, {@code 1d}. */
public final class Durations {

    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms");
    private static final List<String> WORDS = List.of("day", "hour", "minute", "second", "millisecond");
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    private Durations() {}

    /**
     * Parses a duration; empty if the text is none: units largest first, each at most once, no signs, fractions or
     * blanks.
     */
    public static Optional<Duration> parse(String text) {
        Matcher m = FORM.matcher(text);
        if (text.isEmpty() || !m.matches()) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofDays(number(m, 1))
                .plusHours(number(m, 2))
                .plusMinutes(number(m, 3))
                .plusSeconds(number(m, 4))
                .plusMillis(number(m, 5)));
    }

    /**
     * Returns the shortest text that {@link #parse} reads as this duration, cut to milliseconds. Not for negative ones.
     */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        long[] parts = parts(duration);
        for (int i = 0; i < parts.length; i++) {
            text.append(parts[i] == 0 ? "" : parts[i] + UNITS.get(i));
        }
        return text.isEmpty() ? "0s" : text.toString();
    }

    /** Writes the duration as in {@code 1 hour 30 minutes}. */
    static String inWords(Duration duration) {
        StringJoiner words = new StringJoiner(" ");
        long[] parts = parts(duration);
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] > 0) {
                words.add(parts[i] + " " + WORDS.get(i) + (parts[i] == 1 ? "" : "s"));
            }
        }
        return words.toString();
    }

    private static long[] parts(Duration d) {
        return new long[] {
            d.toDays(), d.toHoursPart(), d.toMinutesPart(), d.toSecondsPart(), d.toMillisPart(),
        };
    }

    private static long number(Matcher m, int group) {
        return m.group(group) == null ? 0 : Long.parseLong(m.group(group));
    }
}
