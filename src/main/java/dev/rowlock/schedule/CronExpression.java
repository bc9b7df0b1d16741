package dev.rowlock.schedule;

/**
 * The meaning of a cron expression as bit masks: which local times it matches. Value {@code n} of a field is bit {@code n}. Immutable;
 * every question is answered by construction in a bounded number of steps, without allocation.
 *
 * @param minuteStar whether the minute field starts with {@code *}; decides what a clock change means for the schedule
 * @param hourStar the same for the hour field
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
        YearSet years) {

    static final long ALL_60 = (1L << 60) - 1;
    static final int ALL_HOURS = (1 << 24) - 1;
    static final int ALL_MONTHS = 0b1_1111_1111_1110;
    /** No such local time. */
    static final long NONE = Long.MAX_VALUE;

    private static final int NOT_TODAY = -1;
    /**
     * How many years are looked at: the rarest day there is, a fifth Sunday in February, is 40 years away across a century that is no leap
     * year.
     */
    private static final int MAX_YEARS = 45;

    /** Whether a clock change leaves the schedule to the wall clock under {@link DaylightSaving#SHIFT}. */
    boolean followsWallClock() {
        return minuteStar || hourStar;
    }

    boolean bothDaysRestricted() {
        return !monthDays.any() && !weekDays.any();
    }

    /** Whether any date ever matches. */
    boolean everMatches() {
        return dayFrom(Calendars.epochDay(YearSet.MIN, 1, 1)) != NONE;
    }

    /**
     * The first matching local time at or after the given one, both as seconds since 1970-01-01T00:00 without regard to any zone, or
     * {@link #NONE}.
     */
    long atOrAfter(long local) {
        long today = Math.floorDiv(local, Calendars.SECONDS_PER_DAY);
        long day = isDaily() ? today : dayFrom(today);
        if (day == today) {
            int second = timeFrom((int) (local - today * Calendars.SECONDS_PER_DAY));
            if (second != NOT_TODAY) {
                return today * Calendars.SECONDS_PER_DAY + second;
            }
            day = isDaily() ? today + 1 : dayFrom(today + 1);
        }
        return day == NONE ? NONE : day * Calendars.SECONDS_PER_DAY + firstTime();
    }

    /** How many local times match from one through the other. Takes a step for each month between them, or less. */
    long count(long from, long through) {
        if (from > through) {
            return 0;
        }
        long first = Math.floorDiv(from, Calendars.SECONDS_PER_DAY);
        long last = Math.floorDiv(through, Calendars.SECONDS_PER_DAY);
        long timesADay = (long) Integer.bitCount(hours) * Long.bitCount(minutes) * Long.bitCount(seconds);
        long count = (isDaily() ? last - first + 1 : countDays(first, last)) * timesADay;
        if (matchesDay(first)) {
            count -= countTimes((int) (from - first * Calendars.SECONDS_PER_DAY));
        }
        if (matchesDay(last)) {
            count -= timesADay - countTimes((int) (through + 1 - last * Calendars.SECONDS_PER_DAY));
        }
        return count;
    }

    private boolean matchesDay(long epochDay) {
        return isDaily() || countDays(epochDay, epochDay) == 1;
    }

    /** How many days match from one through the other, counted month by month. */
    private long countDays(long first, long last) {
        int from = Calendars.dateOf(first);
        int through = Calendars.dateOf(last);
        long count = 0;
        for (int year = years.atOrAfter(Calendars.year(from));
                year <= Calendars.year(through);
                year = years.atOrAfter(year + 1)) {
            int startMonth = year == Calendars.year(from) ? Calendars.month(from) : 1;
            int endMonth = year == Calendars.year(through) ? Calendars.month(through) : 12;
            for (int month = startMonth; month <= endMonth; month++) {
                if ((months >>> month & 1) != 0) {
                    long start = Calendars.epochDay(year, month, 1);
                    int days = daysOf(Calendars.lengthOf(year, month), start);
                    days &= start < first ? -1 << (int) (first - start + 1) : -1;
                    days &= last - start < 31 ? (int) ((1L << (last - start + 2)) - 1) : -1;
                    count += Integer.bitCount(days);
                }
            }
        }
        return count;
    }

    /** How many times of a day match before the given second of it. */
    private long countTimes(int secondOfDay) {
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
        return monthDays.any() && weekDays.any() && months == ALL_MONTHS && years.any();
    }

    private int firstTime() {
        return Integer.numberOfTrailingZeros(hours) * 3600
                + Long.numberOfTrailingZeros(minutes) * 60
                + Long.numberOfTrailingZeros(seconds);
    }

    /** The first matching second of the day at or after the given one, or {@link #NOT_TODAY}. */
    private int timeFrom(int secondOfDay) {
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
                return hour * 3600
                        + Long.numberOfTrailingZeros(laterMinutes) * 60
                        + Long.numberOfTrailingZeros(seconds);
            }
        }
        int laterHours = hours & -2 << hour;
        return laterHours == 0
                ? NOT_TODAY
                : Integer.numberOfTrailingZeros(laterHours) * 3600
                        + Long.numberOfTrailingZeros(minutes) * 60
                        + Long.numberOfTrailingZeros(seconds);
    }

    /** The first matching day at or after the given day since 1970-01-01, or {@link #NONE}. */
    private long dayFrom(long epochDay) {
        int date = Calendars.dateOf(epochDay);
        int from = Calendars.year(date);
        int year = years.atOrAfter(from);
        int lastYear = years.any() ? from + MAX_YEARS : YearSet.MAX;
        int laterMonths = -1 << (year == from ? Calendars.month(date) : 1);
        int laterDays = -1 << (year == from ? Calendars.day(date) : 1);
        int startMonth = Calendars.month(date);
        while (year <= lastYear) {
            for (int rest = months & laterMonths; rest != 0; rest &= rest - 1) {
                int month = Integer.numberOfTrailingZeros(rest);
                long first = Calendars.epochDay(year, month, 1);
                int days = daysOf(Calendars.lengthOf(year, month), first) & (month == startMonth ? laterDays : -1);
                if (days != 0) {
                    return first + Integer.numberOfTrailingZeros(days) - 1;
                }
            }
            year = years.atOrAfter(year + 1);
            laterMonths = -1;
            laterDays = -1;
        }
        return NONE;
    }

    /** The matching days of a month that begins on the given day; when both day fields are restricted, either matches. */
    private int daysOf(int length, long firstEpochDay) {
        if (weekDays.any()) {
            int all = MonthDays.ALL_DAYS >>> (31 - length) & MonthDays.ALL_DAYS;
            return monthDays.any() ? all : monthDays.in(length, Calendars.weekday(firstEpochDay));
        }
        int first = Calendars.weekday(firstEpochDay);
        return weekDays.in(length, first) | (monthDays.any() ? 0 : monthDays.in(length, first));
    }
}
