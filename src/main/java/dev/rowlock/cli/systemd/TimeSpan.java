package dev.rowlock.cli.systemd;

import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as units have them: {@code 5min 20s}, {@code 90}. */
final class TimeSpan {

    private static final Pattern PART = Pattern.compile("([0-9]+)(?:\\.[0-9]+)?\\s*([a-zA-Z]*)\\s*");

    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1),
            "w", Duration.ofDays(7),
            "M", Duration.ofSeconds(2_629_800),
            "y", Duration.ofSeconds(31_557_600));

    private TimeSpan() {}

    /** As a job says it; null: none, or none that it could have. */
    static @Nullable String of(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        Matcher part = PART.matcher(text.strip());
        Duration whole = Duration.ZERO;
        int end = 0;
        while (part.lookingAt()) {
            Duration unit = UNITS.get(unit(part.group(2)));
            if (unit == null || part.group(1).length() > 9) {
                return null;
            }
            whole = whole.plus(unit.multipliedBy(Long.parseLong(part.group(1))));
            end = part.end();
            part.region(end, text.strip().length());
        }
        return end < text.strip().length() || whole.isZero() ? null : Durations.format(whole);
    }

    private static String unit(String said) {
        return switch (said) {
            case "", "sec", "second", "seconds" -> "s";
            case "msec" -> "ms";
            case "min", "minute", "minutes" -> "m";
            case "hr", "hour", "hours" -> "h";
            case "day", "days" -> "d";
            case "week", "weeks" -> "w";
            case "month", "months" -> "M";
            case "year", "years" -> "y";
            default -> said;
        };
    }
}
