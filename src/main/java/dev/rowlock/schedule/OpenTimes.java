package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Local times of a cron expression under a rule by calendars: those of closed days are left out, or moved to the same
 * time of an open day. Walks days, and of each the few stretches that are open alike; never the times themselves.
 */
final class OpenTimes implements LocalTimes {

    private static final int DAY = OpenDates.DAY;
    private static final int MAX_DAYS = 366 * Calendar.MAX_YEARS;

    private final CronExpression cron;
    /** Expression that asks for each day on which that one may. */
    private final CronExpression days;

    private final OpenDates dates;
    /** Days that the expression counts, if which of them are open depends on the time of day; null: it does not. */
    private final @Nullable OpenMonths counted;

    private final boolean runs;
    /** Where to look for the day that a time was moved from: −1 before the open day, 1 behind it; 0: none is moved. */
    private final int towards;

    private OpenTimes(CronExpression cron, OpenDates dates, OnClosed onClosed) {
        boolean isCounted = isCounted(cron, dates);
        this.cron = cron;
        this.dates = dates;
        this.counted = isCounted ? new OpenMonths(dates) : null;
        this.days = isCounted ? cron.onAnyDay() : cron;
        this.runs = onClosed == OnClosed.RUN;
        this.towards = onClosed == OnClosed.NEXT ? -1 : onClosed == OnClosed.PREVIOUS ? 1 : 0;
    }

    /** @param line of the zone of the times */
    static LocalTimes of(CronExpression cron, CalendarRule rule, ZoneTimeline line) {
        OpenDates dates = new OpenDates(line, rule.calendars());
        return rule.onClosed() == OnClosed.RUN && !isCounted(cron, dates)
                ? cron
                : new OpenTimes(cron, dates, rule.onClosed());
    }

    private static boolean isCounted(CronExpression cron, OpenDates dates) {
        return cron.monthDays().countsOpenDays() && !dates.isByDay();
    }

    @Override
    public boolean hasEvenMinutes() {
        return dates.isByDay();
    }

    @Override
    public long atOrAfter(long local) {
        long first = Math.floorDiv(local, FireTimes.SECONDS_PER_DAY);
        int from = (int) (local - first * DAY);
        long day = first;
        while (day != CronExpression.NONE && day <= first + MAX_DAYS) {
            int found = firstOf(day, from);
            if (found != CronExpression.NOT_TODAY) {
                return day * DAY + found;
            }
            day = dayAfter(day);
            from = 0;
        }
        return CronExpression.NONE;
    }

    private int firstOf(long day, int from) {
        int second = cron.timeFrom(from);
        while (second != CronExpression.NOT_TODAY) {
            long asked = asked(day, second);
            if (OpenDates.isOpen(asked)) {
                return second;
            }
            int until = OpenDates.until(asked);
            second = until < DAY ? cron.timeFrom(until) : CronExpression.NOT_TODAY;
        }
        return CronExpression.NOT_TODAY;
    }

    /** Returns whether a time of day is asked for on a day, as {@link OpenDates#at} answers. */
    private long asked(long day, int second) {
        long open = runs ? OpenDates.stretch(true, DAY) : dates.at(day, second);
        if (!OpenDates.isOpen(open)) {
            return open;
        }
        long written = written(day, second);
        int until = Math.min(OpenDates.until(open), OpenDates.until(written));
        if (OpenDates.isOpen(written)) {
            return OpenDates.stretch(true, until);
        }
        if (towards == 0) {
            return written; // whether it is open or not
        }
        for (long other = day + towards; Math.abs(other - day) <= MAX_DAYS; other += towards) {
            long there = dates.at(other, second);
            until = Math.min(until, OpenDates.until(there));
            if (OpenDates.isOpen(there)) {
                return OpenDates.stretch(false, until);
            }
            written = written(other, second);
            until = Math.min(until, OpenDates.until(written));
            if (OpenDates.isOpen(written)) {
                return OpenDates.stretch(true, until);
            }
        }
        return OpenDates.stretch(false, until);
    }

    /** Returns whether the fields themselves ask for a time of day on a day, likewise. */
    private long written(long day, int second) {
        return counted == null
                ? OpenDates.stretch(cron.matchesDay(day), DAY)
                : counted.asks(cron, LocalDate.ofEpochDay(day), second);
    }

    /** Returns a later day before which no other is asked for. */
    private long dayAfter(long day) {
        long next = days.dayFrom(day + 1);
        if (next == day + 1 || towards == 0) {
            return next;
        }
        if (towards < 0) { // to the days behind a wholly open one, nothing moves from before it
            return isWhollyOpen(day) ? next : day + 1;
        }
        if (next == CronExpression.NONE) {
            return next;
        }
        long first = next;
        while (first > day + 1 && !isWhollyOpen(first)) {
            first--;
        }
        return first;
    }

    private boolean isWhollyOpen(long day) {
        int second = 0;
        while (second < DAY) {
            long open = dates.at(day, second);
            if (!OpenDates.isOpen(open)) {
                return false;
            }
            second = OpenDates.until(open);
        }
        return true;
    }

    @Override
    public long count(long from, long through) {
        if (from > through) {
            return 0;
        }
        long first = Math.floorDiv(from, FireTimes.SECONDS_PER_DAY);
        long last = Math.floorDiv(through, FireTimes.SECONDS_PER_DAY);
        long count = 0;
        for (long day = first; day <= last && day != CronExpression.NONE; day = dayAfter(day)) {
            int second = day == first ? (int) (from - first * DAY) : 0;
            int end = day == last ? (int) (through + 1 - last * DAY) : DAY;
            count += countOf(day, second, end);
        }
        return count;
    }

    private long countOf(long day, int from, int end) {
        long count = 0;
        int second = from;
        while (second < end) {
            long asked = asked(day, second);
            int until = Math.min(end, OpenDates.until(asked));
            if (OpenDates.isOpen(asked)) {
                count += cron.countTimes(until) - cron.countTimes(second);
            }
            second = until;
        }
        return count;
    }
}
