package dev.rowlock.schedule;

/**
 * Days of a day-of-week field. Sunday is bit 0 of a mask, Saturday bit 6.
 *
 * @param any {@code *}, {@code ?} or <code>*&#47;1</code>: no restriction; all else is then empty
 * @param days days of every week
 * @param last {@code nL}: the last such day of the month
 * @param nth {@code n#k}: bit {@code 7 * (k - 1) + n}
 */
record WeekDays(boolean any, int days, int last, long nth) {

    static final int ALL_DAYS = 0b111_1111;
    static final WeekDays ANY = new WeekDays(true, 0, 0, 0);

    private static final long EVERY_WEEK = 1L | 1L << 7 | 1L << 14 | 1L << 21 | 1L << 28;

    /** Returns the days asked for as the {@code k}-th of a month, {@code k} from 1 to 5. */
    int nth(int k) {
        return (int) (nth >>> (7 * (k - 1))) & ALL_DAYS;
    }

    /**
     * Returns the matching days of a month of {@code length} days whose first day is weekday {@code first}; day n is
     * bit n.
     */
    int in(int length, int first) {
        int month = MonthDays.first(length);
        int matching = everyWeek(days, first) & month;
        if (last != 0) {
            matching |= everyWeek(last, first) & month & (ALL_DAYS << (length - 6));
        }
        for (int k = 1; nth != 0 && k <= 5; k++) {
            matching |= everyWeek(nth(k), first) & month & (ALL_DAYS << (7 * k - 6));
        }
        return matching;
    }

    /** Spreads a mask of weekdays over a month, day 1 being weekday {@code first}. */
    private static int everyWeek(int weekdays, int first) {
        int fromFirst = (weekdays >>> first | weekdays << (7 - first)) & ALL_DAYS;
        return (int) ((fromFirst * EVERY_WEEK) << 1);
    }
}
