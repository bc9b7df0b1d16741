package dev.rowlock.schedule;

/**
 * Days of a day-of-month field. Day {@code n} is bit {@code n} of a mask.
 *
 * @param any {@code *}, {@code ?} or <code>*&#47;1</code>: no restriction; all else is then empty
 * @param days days by number
 * @param beforeLast bit {@code n}: {@code L-n}; bit 0: {@code L}
 * @param nearest bit {@code n}: {@code nW}, the weekday nearest to day {@code n} in the same month
 * @param lastWeekday {@code LW}
 * @param open bit {@code n}: {@code nB}, the n-th open day of the month
 * @param openBeforeLast bit {@code n}: {@code LB-n}; bit 0: {@code LB}, the last open day
 */
record MonthDays(
        boolean any, int days, int beforeLast, int nearest, boolean lastWeekday, int open, int openBeforeLast) {

    static final int ALL_DAYS = 0xFFFF_FFFE;
    static final MonthDays ANY = new MonthDays(true, 0, 0, 0, false, 0, 0);

    private static final int SUNDAY = 0;
    private static final int SATURDAY = 6;

    /** Returns so many days, from the first on. */
    static int first(int days) {
        return ALL_DAYS >>> (31 - days) & ALL_DAYS;
    }

    /**
     * Returns the matching days of a month of {@code length} days whose first day is weekday {@code first} (Sunday is
     * 0), but for those that are counted by open days.
     */
    int in(int length, int first) {
        int month = first(length);
        int matching = days & month;
        // Bit n of beforeLast belongs on bit (length - n): a mirror image, moved.
        matching |= (Integer.reverse(beforeLast) >>> (31 - length)) & month;
        for (int rest = nearest & month; rest != 0; rest &= rest - 1) {
            matching |= 1 << nearestWeekday(Integer.numberOfTrailingZeros(rest), length, first);
        }
        if (lastWeekday) {
            matching |= 1 << nearestWeekdayBefore(length, first);
        }
        return matching;
    }

    /** Returns whether it needs a calendar. */
    boolean countsOpenDays() {
        return (open | openBeforeLast) != 0;
    }

    /** Returns the matching days among the open ones of a month. */
    int ofOpen(int openDays) {
        int count = Integer.bitCount(openDays);
        int matching = 0;
        int number = 0;
        for (int rest = openDays; rest != 0; rest &= rest - 1) {
            number++;
            if ((open >>> number & 1) != 0 || (openBeforeLast >>> (count - number) & 1) != 0) {
                matching |= Integer.lowestOneBit(rest);
            }
        }
        return matching;
    }

    private static int nearestWeekday(int day, int length, int first) {
        return switch ((first + day - 1) % 7) {
            case SATURDAY -> day > 1 ? day - 1 : day + 2;
            case SUNDAY -> day < length ? day + 1 : day - 2;
            default -> day;
        };
    }

    private static int nearestWeekdayBefore(int day, int first) {
        return switch ((first + day - 1) % 7) {
            case SATURDAY -> day - 1;
            case SUNDAY -> day - 2;
            default -> day;
        };
    }
}
