package dev.rowlock.schedule;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of the period of {@code @every}: {@link Durations} without milliseconds. A day is 24 hours. */
final class EveryText {

    static final Duration MAX = Duration.ofDays(36_525);

    /** Number with a unit, as people write them one after the other. */
    private static final Pattern PIECE =
            Pattern.compile("[ \t]*([0-9]{1,9}(?:[.][0-9]{1,3})?)[ \t]*([a-z]{1,10})[ \t]*(?:,|and[ \t])?[ \t]*");

    private static final Pattern MONTHS = Pattern.compile("(?i)[0-9 \t](month|year)");

    private EveryText() {}

    static Duration parse(String text) {
        Duration period = Durations.parse(text)
                .filter(any -> !text.endsWith("ms"))
                .orElseThrow(() -> new ScheduleProblem("@every: " + Quoted.of(text)
                        + " is not a period; allowed are whole numbers with d, h, m, s in this order, such as 90s, 5m"
                        + " or 1h30m" + remedy(text)));
        if (period.isZero() || period.compareTo(MAX) > 0) {
            throw new ScheduleProblem(
                    "@every: " + Quoted.of(text) + " is out of range; allowed are 1s to " + MAX.toDays() + "d");
        }
        return period;
    }

    private static String remedy(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return "; did you mean \"@every " + text + "s\"?";
        }
        if (MONTHS.matcher(text).find()) {
            return "; months and years have no one length: write fields, such as 0 0 1 * *";
        }
        if (text.matches("[0-9]{1,9}[ \t]*(ms|milli[a-z]*)")) {
            return "; the shortest period is 1s";
        }
        return guess(text)
                .map(period -> "; did you mean \"@every " + Durations.format(period) + "\"?")
                .orElse("");
    }

    /** Guesses the period that other words, units, orders or fractions may have been meant for. */
    static Optional<Duration> guess(String text) {
        Matcher pieces = PIECE.matcher(text.toLowerCase(Locale.ROOT));
        BigDecimal seconds = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && pieces.find(end) && pieces.start() == end) {
            long unit = secondsOf(pieces.group(2));
            seconds = seconds.add(new BigDecimal(pieces.group(1)).multiply(BigDecimal.valueOf(unit)));
            end = unit == 0 ? text.length() + 1 : pieces.end();
        }
        boolean possible = end == text.length()
                && seconds.stripTrailingZeros().scale() <= 0
                && seconds.signum() > 0
                && seconds.compareTo(BigDecimal.valueOf(MAX.toSeconds())) <= 0;
        return possible ? Optional.of(Duration.ofSeconds(seconds.longValueExact())) : Optional.empty();
    }

    /** Returns the seconds of a unit; 0 if it is none. */
    private static long secondsOf(String unit) {
        return switch (unit) {
            case "s", "sec", "secs", "second", "seconds" -> 1;
            case "m", "min", "mins", "minute", "minutes" -> 60;
            case "h", "hr", "hrs", "hour", "hours" -> 3600;
            case "d", "day", "days" -> FireTimes.SECONDS_PER_DAY;
            case "w", "week", "weeks" -> 7 * FireTimes.SECONDS_PER_DAY;
            default -> 0;
        };
    }
}
