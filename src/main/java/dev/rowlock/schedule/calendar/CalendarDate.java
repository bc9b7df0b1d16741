package dev.rowlock.schedule.calendar;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.Year;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.BitSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Date in a calendar: one day, the same day of every year, or all days from one through another.
 *
 * @param everyYear null: {@code from} through {@code to}
 * @param name what people call it; empty: nothing
 */
public record CalendarDate(@Nullable MonthDay everyYear, LocalDate from, LocalDate to, String name) {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    private static final String ONE_DAY = "; write a date like 2026-12-25";
    private static final String FORMS = ONE_DAY + ", or --12-25 for the day of every year";
    private static final String ENDS = "; from and to have a year, as in 2026-12-25: name each day of every year alone";

    /**
     * Parses {@code 2026-12-25} or {@code --12-25}; {@code --02-29} is a day of leap years alone.
     *
     * @throws DateTimeException it is no date; the message says why, after what was written
     */
    public static CalendarDate parse(String text, String name) {
        if (!text.startsWith("--")) {
            LocalDate day = day(text, FORMS);
            return new CalendarDate(null, day, day, name);
        }
        try {
            return new CalendarDate(MonthDay.parse(text), LocalDate.MIN, LocalDate.MAX, name);
        } catch (DateTimeException e) {
            throw refused(text, FORMS);
        }
    }

    /**
     * Returns all days from one through the other, both written like {@code 2026-12-25}.
     *
     * @throws DateTimeException one of them is no date, or they are the wrong way round
     */
    public static CalendarDate between(String from, String to, String name) {
        CalendarDate dates = new CalendarDate(null, day(from, ENDS), day(to, ENDS), name);
        if (dates.to.isBefore(dates.from)) {
            throw new DateTimeException("'" + to + "' is before '" + from + "'; from is the first day, to the last");
        }
        return dates;
    }

    /**
     * Parses the date of one day.
     *
     * @throws DateTimeException it is none
     */
    public static LocalDate day(String text) {
        return day(text, ONE_DAY);
    }

    private static LocalDate day(String text, String forms) {
        try {
            LocalDate day = LocalDate.parse(text, DATE);
            if (text.length() == 10 && day.getYear() > 0) {
                return day;
            }
        } catch (DateTimeException e) {
            throw refused(text, forms);
        }
        throw refused(text, forms);
    }

    private static DateTimeException refused(String text, String forms) {
        boolean isYearly = text.startsWith("--") && forms.equals(FORMS);
        boolean isShaped = text.matches((isYearly ? "-" : "[0-9]{4}") + "-[0-9]{2}-[0-9]{2}");
        return new DateTimeException(
                "'" + text + "' is not a date" + (isShaped ? ": there is no such day" : "") + forms);
    }

    public boolean contains(LocalDate day) {
        return everyYear == null ? !day.isBefore(from) && !day.isAfter(to) : everyYear.equals(MonthDay.from(day));
    }

    /** Sets or clears the bits of its days in a year; bit {@code n} is day {@code n} of the year, from 1. */
    void mark(BitSet days, Year year, boolean open) {
        if (everyYear != null) {
            if (year.isValidMonthDay(everyYear)) {
                days.set(everyYear.atYear(year.getValue()).getDayOfYear(), open);
            }
        } else if (from.getYear() <= year.getValue() && to.getYear() >= year.getValue()) {
            int first = from.getYear() < year.getValue() ? 1 : from.getDayOfYear();
            int last = to.getYear() > year.getValue() ? year.length() : to.getDayOfYear();
            days.set(first, last + 1, open);
        }
    }

    /** Returns whether it is written as a text; else as {@code from} and {@code to}. */
    public boolean isText() {
        return everyYear != null || from.equals(to);
    }

    /** Returns the text that {@link #parse} reads; of several days, both ends. */
    public String text() {
        return everyYear != null ? everyYear.toString() : isText() ? from.toString() : from + " to " + to;
    }
}
