package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.CalendarRule;
import java.time.LocalDate;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Cron expression as bit masks of matching local times: value {@code n} of a field is bit {@code n}. Immutable; every
 * answer takes a bounded number of steps.
 *
 * @param minuteStar whether the minute field starts with {@code *}; decides what a clock change means for the schedule
 * @param hourStar the same for the hour field
 * @param years empty: all; never changed
 * @param calendars what {@code nB} counts by; null: every day counts as open
 */
record CronExpression(
        long seconds,
        long minutes,
        int hours,
        boolean minuteStar,
        boolean hourStar,
        MonthDays monthDays,
        WeekDays weekDays,
        int months,
        BitSet years,
        @Nullable CalendarRule calendars)
        implements LocalTimes {

    static final long ALL_60 = (1L << 60) - 1;
    static final int ALL_HOURS = (1 << 24) - 1;
    static final int ALL_MONTHS = 0b1_1111_1111_1110;
    /** Absence of a local time. */
    static final long NONE = Long.MAX_VALUE;

    static final int NOT_TODAY = -1;
    /**
     * Years to search: the rarest day, a fifth Sunday in February, is 40 years away across a century that is no leap
     * year.
     */
    private static final int MAX_YEARS = 45;

    /** Returns whether a clock change leaves the schedule to the wall clock under {@link DaylightSaving#SHIFT}. */
    boolean followsWallClock() {
        return minuteStar || hourStar;
    }

    /** Returns the same expression with the calendars whose open days it counts. */
    CronExpression by(CalendarRule rule) {
        return new CronExpression(
                seconds, minutes, hours, minuteStar, hourStar, monthDays, weekDays, months, years, rule);
    }

    /** Returns the same times of all days in its months and years: those of a wider expression. */
    CronExpression onAnyDay() {
        return new CronExpression(
                seconds, minutes, hours, minuteStar, hourStar, MonthDays.ANY, WeekDays.ANY, months, years, null);
    }

    @Override
    public boolean hasEvenMinutes() {
        return true;
    }

    boolean isEveryYear() {
        return years.isEmpty();
    }

    boolean bothDaysRestricted() {
        return !monthDays.any() && !weekDays.any();
    }

    /** Returns whether any date ever matches. */
    boolean everMatches() {
        return dayFrom(0) != NONE; // 1970, the first year that can be asked for
    }

    @Override
    public long atOrAfter(long local) {
        long today = Math.floorDiv(local, FireTimes.SECONDS_PER_DAY);
        long day = isDaily() ? today : dayFrom(today);
        if (day == today) {
            int second = timeFrom((int) (local - today * FireTimes.SECONDS_PER_DAY));
            if (second != NOT_TODAY) {
                return today * FireTimes.SECONDS_PER_DAY + second;
            }
            day = isDaily() ? today + 1 : dayFrom(today + 1);
        }
        return day == NONE ? NONE : day * FireTimes.SECONDS_PER_DAY + firstTime();
    }

    /** Takes a step for each month between the two, or less. */
    @Override
    public long count(long from, long through) {
        if (from > through) {
            return 0;
        }
        long first = Math.floorDiv(from, FireTimes.SECONDS_PER_DAY);
        long last = Math.floorDiv(through, FireTimes.SECONDS_PER_DAY);
        long timesADay = (long) Integer.bitCount(hours) * Long.bitCount(minutes) * Long.bitCount(seconds);
        long count = (isDaily() ? last - first + 1 : countDays(first, last)) * timesADay;
        if (matchesDay(first)) {
            count -= countTimes((int) (from - first * FireTimes.SECONDS_PER_DAY));
        }
        if (matchesDay(last)) {
            count -= timesADay - countTimes((int) (through + 1 - last * FireTimes.SECONDS_PER_DAY));
        }
        return count;
    }

    boolean matchesDay(long epochDay) {
        return isDaily() || countDays(epochDay, epochDay) == 1;
    }

    /** Returns whether a day matches, given the open days of its month as bits. */
    boolean matchesDay(LocalDate day, int openDays) {
        boolean isInTime = (months >>> day.getMonthValue() & 1) != 0 && yearFrom(day.getYear()) == day.getYear();
        return isInTime && (daysOf(day.withDayOfMonth(1), openDays) >>> day.getDayOfMonth() & 1) != 0;
    }

    /** Returns the number of days that match from one through the other, counted month by month. */
    private long countDays(long first, long last) {
        LocalDate from = LocalDate.ofEpochDay(first);
        LocalDate through = LocalDate.ofEpochDay(last);
        long count = 0;
        for (int year = yearFrom(from.getYear()); year <= through.getYear(); year = yearFrom(year + 1)) {
            int startMonth = year == from.getYear() ? from.getMonthValue() : 1;
            int endMonth = year == through.getYear() ? through.getMonthValue() : 12;
            for (int month = startMonth; month <= endMonth; month++) {
                if ((months >>> month & 1) != 0) {
                    LocalDate firstOfMonth = LocalDate.of(year, month, 1);
                    long start = firstOfMonth.toEpochDay();
                    int days = daysOf(firstOfMonth);
                    days &= start < first ? -1 << (int) (first - start + 1) : -1;
                    days &= last - start < 31 ? (int) ((1L << (last - start + 2)) - 1) : -1;
                    count += Integer.bitCount(days);
                }
            }
        }
        return count;
    }

    /** Returns the number of times of a day that match before the given second of it. */
    long countTimes(int secondOfDay) {
        int hour = secondOfDay / 3600;
        int minute = secondOfDay / 60 % 60;
        long count =
                (long) Integer.bitCount(hours & ((1 << hour) - 1)) * Long.bitCount(minutes) * Long.bitCount(seconds);
        if ((hours >>> hour & 1) != 0) {
            count += (long) Long.bitCount(minutes & ((1L << minute) - 1)) * Long.bitCount(seconds);
            if ((minutes >>> minute & 1) != 0) {
                count += Long.bitCount(seconds & ((1L << (secondOfDay % 60)) - 1));
            }
        }
        return count;
    }

    private boolean isDaily() {
        return monthDays.any() && weekDays.any() && months == ALL_MONTHS && isEveryYear();
    }

    private int firstTime() {
        return Integer.numberOfTrailingZeros(hours) * 3600
                + Long.numberOfTrailingZeros(minutes) * 60
                + Long.numberOfTrailingZeros(seconds);
    }

    /** Returns the first matching second of the day at or after the given one, or {@link #NOT_TODAY}. */
    int timeFrom(int secondOfDay) {
        int hour = secondOfDay / 3600;
        int minute = secondOfDay / 60 % 60;
        if ((hours >>> hour & 1) != 0) {
            if ((minutes >>> minute & 1) != 0) {
                long laterSeconds = seconds & -1L << (secondOfDay % 60);
                if (laterSeconds != 0) {
                    return hour * 3600 + minute * 60 + Long.numberOfTrailingZeros(laterSeconds);
                }
            }
            long laterMinutes = minutes & -2L << minute;
            if (laterMinutes != 0) {
                return hour * 3600 + Long.numberOfTrailingZeros(laterMinutes) * 60 + firstTime() % 60;
            }
        }
        int laterHours = hours & -2 << hour;
        return laterHours == 0 ? NOT_TODAY : Integer.numberOfTrailingZeros(laterHours) * 3600 + firstTime() % 3600;
    }

    /** Returns the first matching day at or after the given day since 1970-01-01, or {@link #NONE}. */
    long dayFrom(long epochDay) {
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        int from = date.getYear();
        int year = yearFrom(from);
        int lastYear = isEveryYear() ? from + MAX_YEARS : CronField.YEAR.max;
        int startMonth = date.getMonthValue();
        int laterMonths = -1 << (year == from ? startMonth : 1);
        int laterDays = -1 << (year == from ? date.getDayOfMonth() : 1);
        while (year <= lastYear) {
            for (int rest = months & laterMonths; rest != 0; rest &= rest - 1) {
                int month = Integer.numberOfTrailingZeros(rest);
                LocalDate first = LocalDate.of(year, month, 1);
                int days = daysOf(first) & (month == startMonth ? laterDays : -1);
                if (days != 0) {
                    return first.toEpochDay() + Integer.numberOfTrailingZeros(days) - 1;
                }
            }
            year = yearFrom(year + 1);
            laterMonths = -1;
            laterDays = -1;
        }
        return NONE;
    }

    /** Returns the first matching year at or after the given one; past all years if there is none. */
    private int yearFrom(int year) {
        int found = isEveryYear() ? year : years.nextSetBit(Math.max(year, CronField.YEAR.min));
        return found < 0 ? Integer.MAX_VALUE : found;
    }

    private int daysOf(LocalDate first) {
        @Nullable CalendarRule counted = monthDays.countsOpenDays() ? calendars : null;
        return daysOf(first, counted == null ? -1 : counted.openDaysOf(first));
    }

    /**
     * Returns the matching days of a month, given its first day and which of it are open; when both day fields are
     * restricted, either matches.
     */
    private int daysOf(LocalDate first, int openDays) {
        int length = first.lengthOfMonth();
        int weekday = first.getDayOfWeek().getValue() % 7; // Sunday is 0
        if (monthDays.any()) {
            return weekDays.any() ? MonthDays.first(length) : weekDays.in(length, weekday);
        }
        int matching = monthDays.in(length, weekday);
        if (monthDays.countsOpenDays()) {
            matching |= monthDays.ofOpen(openDays & MonthDays.first(length));
        }
        return weekDays.any() ? matching : matching | weekDays.in(length, weekday);
    }
}
