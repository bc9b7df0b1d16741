package dev.rowlock.job;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 500ms}, {@code 1d}. */
public final class Durations {

    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m(?!s))?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    private Durations() {}

    /** Empty if the text is not a duration: units largest first, each at most once, no signs, fractions or blanks. */
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

    /** The shortest text that {@link #parse} reads as this duration, which must not be negative; cut to milliseconds. */
    public static String format(Duration duration) {
        StringBuilder text = new StringBuilder();
        append(text, duration.toDays(), "d");
        append(text, duration.toHoursPart(), "h");
        append(text, duration.toMinutesPart(), "m");
        append(text, duration.toSecondsPart(), "s");
        append(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.toString();
    }

    private static long number(Matcher m, int group) {
        String digits = m.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit);
        }
    }
}
