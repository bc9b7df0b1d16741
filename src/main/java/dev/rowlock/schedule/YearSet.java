package dev.rowlock.schedule;

/** The years of a schedule: all of them, or some of 1970 to 2099 as bits counted from 1970. */
record YearSet(boolean any, long low, long middle, long high) {

    static final int MIN = 1970;
    static final int MAX = 2099;
    static final YearSet ANY = new YearSet(true, 0, 0, 0);
    /** No such year. */
    static final int NONE = Integer.MAX_VALUE;

    boolean contains(int year) {
        return any || (year >= MIN && year <= MAX && (word((year - MIN) >> 6) >>> (year - MIN) & 1) != 0);
    }

    /** The first year of the set that is {@code year} or later, or {@link #NONE}. */
    int atOrAfter(int year) {
        if (any) {
            return year;
        }
        int index = Math.max(year, MIN) - MIN;
        if (year > MAX) {
            return NONE;
        }
        long bits = word(index >> 6) & -1L << index;
        for (int word = index >> 6; ; bits = word(word)) {
            if (bits != 0) {
                return MIN + 64 * word + Long.numberOfTrailingZeros(bits);
            }
            if (++word > 2) {
                return NONE;
            }
        }
    }

    private long word(int index) {
        return switch (index) {
            case 0 -> low;
            case 1 -> middle;
            default -> high;
        };
    }
}
