package dev.rowlock.schedule;

import java.util.BitSet;

/**
 * The years of a schedule.
 *
 * @param any all of them; {@code years} is then empty
 * @param years some of 1970 to 2099; never changed
 */
record YearSet(boolean any, BitSet years) {

    static final int MIN = 1970;
    static final int MAX = 2099;
    static final YearSet ANY = new YearSet(true, new BitSet());
    /** No such year. */
    static final int NONE = Integer.MAX_VALUE;

    /** The first year of the set that is {@code year} or later, or {@link #NONE}. */
    int atOrAfter(int year) {
        if (any) {
            return year;
        }
        int found = years.nextSetBit(Math.max(year, MIN));
        return found < 0 ? NONE : found;
    }
}
