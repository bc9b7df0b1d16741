package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;

/**
 * Local times of a cron expression under a rule by calendars: those of closed days are left out, or moved to the same
 * time of an open day. Walks days, and of each the few stretches that are open alike; never the times themselves.
 */
final class OpenTimes implements LocalTimes {

    private static final int DAY = OpenDates.DAY;
    private static final int MAX_DAYS = 366 * Calendar.MAX_YEARS;

    private final CronExpression cron;
    private final OpenDates dates;
    /** Where to look for the day that a time was moved from: −1 before the open day, 1 behind it; 0: none is moved. */
    private final int towards;

    OpenTimes(CronExpression cron, CalendarRule rule, ZoneTimeline line) {
        this.cron = cron;
        this.dates = new OpenDates(line, rule.calendars());
        this.towards = rule.onClosed() == OnClosed.NEXT ? -1 : rule.onClosed() == OnClosed.PREVIOUS ? 1 : 0;
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
        long open = dates.at(day, second);
        int until = OpenDates.until(open);
        if (!OpenDates.isOpen(open) || cron.matchesDay(day)) {
            return open;
        }
        if (towards == 0) {
            return OpenDates.stretch(false, DAY);
        }
        for (long other = day + towards; Math.abs(other - day) <= MAX_DAYS; other += towards) {
            long there = dates.at(other, second);
            until = Math.min(until, OpenDates.until(there));
            if (OpenDates.isOpen(there)) {
                return OpenDates.stretch(false, until);
            }
            if (cron.matchesDay(other)) {
                return OpenDates.stretch(true, until);
            }
        }
        return OpenDates.stretch(false, until);
    }

    /** Returns a later day before which no other is asked for. */
    private long dayAfter(long day) {
        long next = cron.dayFrom(day + 1);
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
