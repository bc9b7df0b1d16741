package dev.rowlock.cli.systemd;

import dev.rowlock.schedule.Zones;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Expression of {@code OnCalendar} as a cron expression.
 *
 * @param schedule 6 fields, seconds first, or 7 if years are named
 * @param zone null: that of the host
 */
record CalendarText(String schedule, @Nullable String zone) {

    private static final Map<String, String> SHORTHANDS = Map.of(
            "minutely", "*-*-* *:*:00",
            "hourly", "*-*-* *:00:00",
            "daily", "*-*-* 00:00:00",
            "weekly", "Mon *-*-* 00:00:00",
            "monthly", "*-*-01 00:00:00",
            "quarterly", "*-01,04,07,10-01 00:00:00",
            "semiannually", "*-01,07-01 00:00:00",
            "yearly", "*-01-01 00:00:00",
            "annually", "*-01-01 00:00:00");

    private static final Pattern DATE = Pattern.compile("(?:([^-~]+)-)?([^-~]+)([-~])([^-~]+)");
    private static final Pattern TIME = Pattern.compile("([^:]+):([^:]+)(?::([^:]+))?");
    private static final Pattern PART = Pattern.compile("([0-9]+)(?:\\.\\.([0-9]+))?(?:/([0-9]+))?");
    private static final Pattern DAY =
            Pattern.compile("(?i)(mon|tue|wed|thu|fri|sat|sun)(?:day|s?day|nesday|rsday|urday)?");

    /** Days of the month of the first, second, third and fourth of each weekday. */
    private static final List<String> WEEKS = List.of("1..7", "8..14", "15..21", "22..28");

    private static final int LONGEST_MONTH = 31;

    /** Failure to translate an expression to cron. */
    static final class NotCron extends Exception {
        private static final long serialVersionUID = 1L;

        NotCron(String why) {
            super(why);
        }
    }

    static CalendarText parse(String text) throws NotCron {
        List<String> words = new ArrayList<>(List.of(text.strip().split("\\s+", -1)));
        String zone = zone(words);
        String shorthand = SHORTHANDS.get(String.join(" ", words).toLowerCase(Locale.ROOT));
        if (shorthand != null) {
            words = new ArrayList<>(List.of(shorthand.split(" ", -1)));
        }
        String days = words.isEmpty() || !Character.isLetter(words.get(0).charAt(0)) ? "*" : weekdays(words.remove(0));
        String time = words.isEmpty() || !words.get(words.size() - 1).contains(":")
                ? "00:00:00"
                : words.remove(words.size() - 1);
        String date = words.isEmpty() ? "*-*-*" : words.remove(0);
        Matcher clock = TIME.matcher(time);
        Matcher day = DATE.matcher(date);
        if (!words.isEmpty() || !clock.matches() || !day.matches()) {
            throw new NotCron("OnCalendar=" + text + " is not understood");
        }
        String ofMonth = ofMonth(day.group(4), day.group(3).equals("~"));
        if (!days.equals("*") && !ofMonth.equals("*")) {
            ofMonth = "*";
            days = both(days, day.group(4), day.group(3).equals("~"));
        }
        String year = day.group(1) == null ? "*" : field(day.group(1));
        String seconds = clock.group(3) == null ? "0" : field(clock.group(3));
        String schedule = String.join(
                " ", seconds, field(clock.group(2)), field(clock.group(1)), ofMonth, field(day.group(2)), days);
        return new CalendarText(year.equals("*") ? schedule : schedule + " " + year, zone);
    }

    /** Takes the zone off the end. */
    private static @Nullable String zone(List<String> words) {
        String last = words.get(words.size() - 1);
        boolean isZone = words.size() > 1
                && last.matches("[A-Za-z].*")
                && !DAY.matcher(last).matches();
        if (!isZone || !Zones.isNamed(last)) {
            return null; // what is no zone is told as not understood
        }
        words.remove(words.size() - 1);
        return last;
    }

    private static String weekdays(String text) throws NotCron {
        List<String> days = new ArrayList<>();
        for (String part : text.replaceFirst(",$", "").split(",", -1)) {
            String[] ends = part.split("\\.\\.|-", -1);
            List<String> names = new ArrayList<>();
            for (String end : ends) {
                Matcher day = DAY.matcher(end);
                if (!day.matches() || ends.length > 2) {
                    throw new NotCron("\"" + text + "\" is not understood as days of the week");
                }
                names.add(day.group(1).toUpperCase(Locale.ROOT));
            }
            days.add(String.join("-", names));
        }
        String joined = String.join(",", days);
        return joined.equals("MON-SUN") ? "*" : joined;
    }

    private static String field(String text) throws NotCron {
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (part.equals("*")) {
                parts.add("*");
            } else if (matcher.matches()) {
                parts.add(number(matcher.group(1))
                        + (matcher.group(2) == null ? "" : "-" + number(matcher.group(2)))
                        + (matcher.group(3) == null ? "" : "/" + number(matcher.group(3))));
            } else {
                throw new NotCron("\"" + text + "\" has no counterpart: allowed are *, numbers, a..b and a/step");
            }
        }
        return parts.contains("*") ? "*" : String.join(",", parts);
    }

    private static String number(String digits) throws NotCron {
        String plain = digits.replaceFirst("^0+(?=.)", "");
        if (plain.length() > 4) {
            throw new NotCron("\"" + digits + "\" is too large a number");
        }
        return plain;
    }

    private static String ofMonth(String text, boolean fromEnd) throws NotCron {
        if (!fromEnd) {
            return field(text);
        }
        return IntStream.of(fromEnd(text))
                .mapToObj(day -> day == 1 ? "L" : "L-" + (day - 1))
                .collect(Collectors.joining(","));
    }

    /** Parses days counted from the last one, which is 1; a step goes on towards it. */
    private static int[] fromEnd(String text) throws NotCron {
        IntStream days = IntStream.empty();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()) {
                throw new NotCron("\"~" + text + "\" has no counterpart");
            }
            int first = Integer.parseInt(number(matcher.group(1)));
            int step = matcher.group(3) == null ? 1 : Integer.parseInt(number(matcher.group(3)));
            int last = matcher.group(2) != null
                    ? Integer.parseInt(number(matcher.group(2)))
                    : matcher.group(3) == null ? first : 1;
            if (first < 1 || last < 1 || first > LONGEST_MONTH || last > LONGEST_MONTH || step < 1) {
                throw new NotCron("\"~" + text + "\" is out of range");
            }
            int top = Math.max(first, last);
            days = IntStream.concat(
                    days, IntStream.iterate(top, day -> day >= Math.min(first, last), day -> day - step));
        }
        return days.distinct().toArray();
    }

    /**
     * Returns a field for days that match both, as systemd requires; here that can only be said of a week of the month.
     */
    private static String both(String weekdays, String days, boolean fromEnd) throws NotCron {
        String plain = days.replaceAll("(?<![0-9])0+(?=[0-9])", "");
        String which = fromEnd && plain.matches("7/1|7\\.\\.1|1\\.\\.7")
                ? "L"
                : !fromEnd && WEEKS.contains(plain) ? "#" + (WEEKS.indexOf(plain) + 1) : null;
        if (which == null || weekdays.contains("-")) {
            throw new NotCron("systemd runs it on days that match both " + weekdays + " and " + (fromEnd ? "~" : "")
                    + days + "; here either would do. Put * in one and let the command test the other, as in"
                    + " [ \"$(date +%u)\" = 2 ] && …");
        }
        return List.of(weekdays.split(",", -1)).stream().map(day -> day + which).collect(Collectors.joining(","));
    }
}
