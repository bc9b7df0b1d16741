package dev.rowlock.cli.systemd;

import dev.rowlock.schedule.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as units have them: {@code 5min 20s}, {@code 1.5h}, {@code 90}. */
final class TimeSpan {

    private static final Pattern PART = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]*)?|\\.[0-9]+)\\s*([a-zA-Zµμ]*)\\s*");

    private static final Map<String, BigDecimal> MILLIS = Map.of(
            "ns", new BigDecimal("1e-6"),
            "us", new BigDecimal("1e-3"),
            "ms", BigDecimal.ONE,
            "s", BigDecimal.valueOf(1_000),
            "m", BigDecimal.valueOf(60_000),
            "h", BigDecimal.valueOf(3_600_000),
            "d", BigDecimal.valueOf(86_400_000),
            "w", BigDecimal.valueOf(604_800_000),
            "M", BigDecimal.valueOf(2_629_800_000L),
            "y", BigDecimal.valueOf(31_557_600_000L));

    private static final BigDecimal MOST =
            BigDecimal.valueOf(Duration.ofDays(36_500).toMillis());

    private TimeSpan() {}

    /** Parses a time span; null if it is none, or {@code infinity}. */
    static @Nullable Duration parse(String text) {
        String said = text.strip();
        Matcher part = PART.matcher(said);
        BigDecimal millis = BigDecimal.ZERO;
        int end = 0;
        while (part.lookingAt()) {
            BigDecimal unit = MILLIS.get(unit(part.group(2)));
            if (unit == null) {
                return null;
            }
            millis = millis.add(new BigDecimal(part.group(1)).multiply(unit));
            end = part.end();
            part.region(end, said.length());
        }
        return end == 0 || end < said.length()
                ? null
                : Duration.ofMillis(
                        millis.min(MOST).setScale(0, RoundingMode.HALF_UP).longValue());
    }

    /** Returns a time span as a job says it; null if there is none, or none that a job could have. */
    static @Nullable String of(@Nullable String text) {
        Duration span = text == null ? null : parse(text);
        return span == null || span.isZero() ? null : Durations.format(span);
    }

    private static String unit(String said) {
        return switch (said) {
            case "", "sec", "second", "seconds" -> "s";
            case "nsec" -> "ns";
            case "usec", "µs", "μs" -> "us";
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
