package dev.rowlock.schedule;

/**
 * The proleptic Gregorian calendar on plain numbers: what {@link java.time.LocalDate} knows, without an object per question. A date is
 * packed into one {@code int}: {@code (year * 16 + month) * 32 + day}.
 */
final class Calendars {

    static final long SECONDS_PER_DAY = 86_400;

    private static final int DAYS_PER_400_YEARS = 146_097;
    /** 1970-01-01 counted from 0000-03-01: with years that begin in March, the leap day is the last of its year. */
    private static final int EPOCH_FROM_MARCH_0000 = 719_468;
    /** Lengths of the months 0–13 minus 28, two bits each; February of a common year. */
    private static final int LENGTHS_OVER_28 = lengthsOver28();

    private Calendars() {}

    private static int lengthsOver28() {
        int packed = 0;
        for (int month = 1; month <= 12; month++) {
            packed |= (java.time.Month.of(month).length(false) - 28) << (2 * month);
        }
        return packed;
    }

    static boolean isLeap(int year) {
        return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int lengthOf(int year, int month) {
        return 28 + ((LENGTHS_OVER_28 >>> (2 * month)) & 3) + (month == 2 && isLeap(year) ? 1 : 0);
    }

    /** Days since 1970-01-01. */
    static long epochDay(int year, int month, int day) {
        int marchYear = month > 2 ? year : year - 1;
        int marchMonth = month > 2 ? month - 3 : month + 9;
        long leapDays =
                (long) Math.floorDiv(marchYear, 4) - Math.floorDiv(marchYear, 100) + Math.floorDiv(marchYear, 400);
        return 365L * marchYear + leapDays + daysBefore(marchMonth) + day - 1 - EPOCH_FROM_MARCH_0000;
    }

    /** The packed date of a day since 1970-01-01; for years −9999 to 99999. */
    static int dateOf(long epochDay) {
        int days = (int) epochDay + EPOCH_FROM_MARCH_0000;
        int era = Math.floorDiv(days, DAYS_PER_400_YEARS);
        int rest = days - era * DAYS_PER_400_YEARS;
        // An estimate that is at most one year too high, since no year is shorter than 365 days.
        int yearOfEra = Math.min(rest / 365, 399);
        int dayOfYear = rest - daysBeforeYear(yearOfEra);
        if (dayOfYear < 0) {
            yearOfEra--;
            dayOfYear = rest - daysBeforeYear(yearOfEra);
        }
        int marchMonth = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - daysBefore(marchMonth) + 1;
        int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
        int year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
        return (year * 16 + month) * 32 + day;
    }

    static int year(int date) {
        return date >> 9;
    }

    static int month(int date) {
        return (date >> 5) & 15;
    }

    static int day(int date) {
        return date & 31;
    }

    /** Sunday is 0. */
    static int weekday(long epochDay) {
        return (int) Math.floorMod(epochDay + 4, 7L);
    }

    private static int daysBeforeYear(int marchYear) {
        return 365 * marchYear + marchYear / 4 - marchYear / 100;
    }

    /** Days of a March-based year before its month 0–11: 31, 30, 31, 30, 31 repeats from March, and from August. */
    private static int daysBefore(int marchMonth) {
        return (153 * marchMonth + 2) / 5;
    }
}
