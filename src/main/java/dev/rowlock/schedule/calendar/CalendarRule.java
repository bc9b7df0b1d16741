package dev.rowlock.schedule.calendar;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rule by which calendars change a schedule: a day is open where all of them have it open.
 *
 * @param calendars at least one
 */
public record CalendarRule(List<Calendar> calendars, OnClosed onClosed) {

    public CalendarRule {
        calendars = List.copyOf(calendars);
        if (calendars.isEmpty()) {
            throw new IllegalArgumentException("a rule needs a calendar");
        }
    }

    /** Returns the open days of a month, given its first day, as bits: bit {@code n} is its day {@code n}. */
    public int openDaysOf(LocalDate first) {
        int open = -1;
        for (Calendar calendar : calendars) {
            open &= calendar.openDaysOf(first);
        }
        return open;
    }

    /** Returns the names of the calendars, for people. */
    public String names() {
        return calendars.stream().map(Calendar::name).collect(Collectors.joining(", "));
    }
}
