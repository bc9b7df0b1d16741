package dev.rowlock.cli.ical;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rule by which an event comes back every year: on its date, or on a weekday of a month such as the last Monday of May.
 *
 * @param interval of years
 * @param count how often at all; null: not said
 * @param until the last day; null: not said
 * @param month in which the weekday is
 * @param nth which of them, from the end if it is negative; 0: the rule is by date
 */
record YearlyRule(
        int interval, @Nullable Integer count, @Nullable LocalDate until, int month, int nth, DayOfWeek weekday) {

    /** Years ahead for which days are written one by one. */
    static final int YEARS = 10;

    private static final Set<String> KNOWN =
            Set.of("FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "WKST");
    private static final Pattern NTH = Pattern.compile("([+-]?[1-5])(MO|TU|WE|TH|FR|SA|SU)");

    /**
     * Parses a rule; empty if it is no yearly one, or one that says more.
     *
     * @param day reads a day, which may be written as an instant
     */
    static Optional<YearlyRule> parse(String text, LocalDate first, Function<String, LocalDate> day) {
        Map<String, String> parts = new HashMap<>();
        for (String part : text.strip().toUpperCase(Locale.ROOT).split(";", -1)) {
            String[] pair = part.split("=", 2);
            if (pair.length < 2 || !KNOWN.contains(pair[0])) {
                return Optional.empty();
            }
            parts.put(pair[0], pair[1]);
        }
        try {
            return "YEARLY".equals(parts.get("FREQ")) ? read(parts, first, day) : Optional.empty();
        } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<YearlyRule> read(
            Map<String, String> parts, LocalDate first, Function<String, LocalDate> days) {
        int month = Integer.parseInt(parts.getOrDefault("BYMONTH", String.valueOf(first.getMonthValue())));
        String day = parts.getOrDefault("BYMONTHDAY", String.valueOf(first.getDayOfMonth()));
        String weekday = parts.get("BYDAY");
        Matcher nth = NTH.matcher(weekday == null ? "" : weekday);
        boolean isDate =
                weekday == null && month == first.getMonthValue() && Integer.parseInt(day) == first.getDayOfMonth();
        boolean isWeekday = nth.matches() && parts.containsKey("BYMONTH") && !parts.containsKey("BYMONTHDAY");
        int interval = Integer.parseInt(parts.getOrDefault("INTERVAL", "1"));
        if ((!isDate && !isWeekday) || interval < 1 || month < 1 || month > 12) {
            return Optional.empty();
        }
        return Optional.of(new YearlyRule(
                interval,
                parts.containsKey("COUNT") ? Integer.valueOf(parts.get("COUNT")) : null,
                parts.containsKey("UNTIL") ? days.apply(parts.get("UNTIL")) : null,
                month,
                isWeekday ? Integer.parseInt(nth.group(1)) : 0,
                isWeekday ? weekday(nth.group(2)) : DayOfWeek.MONDAY));
    }

    private static DayOfWeek weekday(String word) {
        return Stream.of(DayOfWeek.values())
                .filter(day -> day.name().startsWith(word))
                .findFirst()
                .orElseThrow(() -> new DateTimeException(word));
    }

    /** Returns whether it is one date of each year, without an end. */
    boolean isForEver() {
        return nth == 0 && interval == 1 && isWithoutEnd();
    }

    boolean isWithoutEnd() {
        return count == null && until == null;
    }

    /** Returns its days from the first one on, up to the end of a year. */
    Stream<LocalDate> days(LocalDate first, int lastYear) {
        List<LocalDate> days = new ArrayList<>();
        for (int year = first.getYear(); year <= lastYear; year += interval) {
            if (count != null && days.size() >= count) {
                break;
            }
            LocalDate day = in(year, first);
            boolean isOver = day != null && until != null && day.isAfter(until);
            if (day != null && !day.isBefore(first) && !isOver) {
                days.add(day);
            }
        }
        return days.stream();
    }

    private @Nullable LocalDate in(int year, LocalDate first) {
        if (nth == 0) {
            boolean isMissing = first.getMonthValue() == 2 && first.getDayOfMonth() == 29 && !Year.isLeap(year);
            return isMissing ? null : LocalDate.of(year, first.getMonthValue(), first.getDayOfMonth());
        }
        LocalDate day = LocalDate.of(year, month, 1).with(TemporalAdjusters.dayOfWeekInMonth(nth, weekday));
        return day.getMonthValue() == month ? day : null;
    }
}
