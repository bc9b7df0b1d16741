package dev.rowlock.cli.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Quartz's cron expressions in ours: it counts days of the week from Sunday, which is 1, and lets ranges wrap. */
final class QuartzCron {

    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,4})-([0-9]{1,4})(/[0-9]{1,4})?");
    private static final Pattern NAMES = Pattern.compile("([A-Z]{3,9}(?:-[A-Z]{3,9})?)/[0-9]+");
    private static final Pattern NUMBERED = Pattern.compile("([1-7])(L|#[1-5])");
    private static final Pattern WEEKDAYS = Pattern.compile("(\\*|[1-7])(?:-([1-7]))?(?:/([1-7]))?");

    /** The largest value of each field, from seconds on; of the smallest, see {@link #FIRST}. */
    private static final int[] LAST = {59, 59, 23, 31, 12};

    private static final int[] FIRST = {0, 0, 0, 1, 1};
    private static final int WEEK = 7;
    private static final int DAY_OF_WEEK = 5;

    private QuartzCron() {}

    /** Translates an expression. What no other field can be stays as it is: it is refused where it is read. */
    static String translated(String expression) {
        String[] fields = expression.strip().toUpperCase(Locale.ROOT).split("\\s+", -1);
        for (int i = 0; i < fields.length && i <= DAY_OF_WEEK; i++) {
            int field = i;
            fields[i] = List.of(fields[i].split(",", -1)).stream()
                    .map(part -> field == DAY_OF_WEEK ? weekday(part) : part(part, FIRST[field], LAST[field]))
                    .collect(Collectors.joining(","));
        }
        return String.join(" ", fields);
    }

    private static String part(String part, int first, int last) {
        Matcher range = RANGE.matcher(part);
        if (!range.matches() || Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2))) {
            return part;
        }
        int from = Integer.parseInt(range.group(1));
        int to = Integer.parseInt(range.group(2));
        if (from > last || to < first) {
            return part;
        }
        if (range.group(3) != null) {
            int step = Math.max(1, Integer.parseInt(range.group(3).substring(1)));
            int size = last - first + 1;
            return IntStream.iterate(from, n -> n <= to + size, n -> n + step)
                    .mapToObj(n -> String.valueOf(n > last ? n - size : n))
                    .collect(Collectors.joining(","));
        }
        return span(from, last) + "," + span(first, to);
    }

    private static String span(int from, int to) {
        return from == to ? String.valueOf(from) : from + "-" + to;
    }

    private static String weekday(String part) {
        Matcher numbered = NUMBERED.matcher(part);
        Matcher days = WEEKDAYS.matcher(part);
        Matcher names = NAMES.matcher(part);
        if (part.equals("L")) {
            return "SAT";
        }
        if (numbered.matches()) {
            return name(Integer.parseInt(numbered.group(1))) + numbered.group(2);
        }
        if (names.matches()) {
            return names.group(1); // Quartz reads no step after names
        }
        if (!days.matches() || part.equals("*")) {
            return part;
        }
        int from = part.startsWith("*") ? 1 : Integer.parseInt(days.group(1));
        if (days.group(3) == null) {
            String first = name(from);
            return days.group(2) == null || days.group(1).equals(days.group(2))
                    ? first
                    : first + "-" + name(Integer.parseInt(days.group(2)));
        }
        int to = days.group(2) == null ? WEEK : Integer.parseInt(days.group(2));
        List<String> all = new ArrayList<>();
        for (int day = from; day <= (to < from ? to + WEEK : to); day += Integer.parseInt(days.group(3))) {
            all.add(name((day - 1) % WEEK + 1));
        }
        return String.join(",", all);
    }

    private static String name(int day) {
        return DAYS.get(day - 1);
    }
}
