package dev.rowlock.schedule;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The period of {@code @every} as text: {@code 90s}, {@code 5m}, {@code 1h30m}, {@code 2d}. A day is 24 hours. */
final class EveryText {

    static final Duration MAX = Duration.ofDays(36_525);

    private static final Pattern PERIOD =
            Pattern.compile("(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s)?");
    private static final Pattern NUMBER_AND_WORD = Pattern.compile("([0-9]{1,9})[ \t]*([A-Za-z]+)");

    private EveryText() {}

    static Duration parse(String text) {
        Matcher matcher = PERIOD.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new ScheduleProblem("@every: " + Quoted.of(text)
                    + " is not a period; allowed are whole numbers with d, h, m, s in this order, such as 90s, 5m or 1h30m"
                    + remedy(text));
        }
        Duration period = Duration.ofDays(number(matcher.group(1)))
                .plusHours(number(matcher.group(2)))
                .plusMinutes(number(matcher.group(3)))
                .plusSeconds(number(matcher.group(4)));
        if (period.isZero() || period.compareTo(MAX) > 0) {
            throw new ScheduleProblem(
                    "@every: " + Quoted.of(text) + " is out of range; allowed are 1s to " + MAX.toDays() + "d");
        }
        return period;
    }

    static String print(Duration period) {
        StringBuilder text = new StringBuilder();
        append(text, period.toDays(), "d");
        append(text, period.toHoursPart(), "h");
        append(text, period.toMinutesPart(), "m");
        append(text, period.toSecondsPart(), "s");
        return text.toString();
    }

    static String say(Duration period) {
        StringBuilder text = new StringBuilder();
        say(text, period.toDays(), "day");
        say(text, period.toHoursPart(), "hour");
        say(text, period.toMinutesPart(), "minute");
        say(text, period.toSecondsPart(), "second");
        return text.toString();
    }

    private static void append(StringBuilder text, long number, String unit) {
        if (number > 0) {
            text.append(number).append(unit);
        }
    }

    private static void say(StringBuilder text, long number, String unit) {
        if (number > 0) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(number)
                    .append(' ')
                    .append(unit)
                    .append(number == 1 ? "" : "s");
        }
    }

    private static long number(@org.jspecify.annotations.Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    private static String remedy(String text) {
        Matcher words = NUMBER_AND_WORD.matcher(text);
        if (!words.matches()) {
            return text.matches("[0-9]{1,9}") ? "; did you mean \"@every " + text + "s\"?" : "";
        }
        String unit = switch (words.group(2).toLowerCase(java.util.Locale.ROOT)) {
            case "s", "sec", "secs", "second", "seconds" -> "s";
            case "m", "min", "mins", "minute", "minutes" -> "m";
            case "h", "hr", "hrs", "hour", "hours" -> "h";
            case "d", "day", "days" -> "d";
            case "ms", "millis" -> "; the shortest period is 1s";
            default -> "";
        };
        return unit.length() == 1 ? "; did you mean \"@every " + words.group(1) + unit + "\"?" : unit;
    }
}
