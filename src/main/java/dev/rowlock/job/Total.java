package dev.rowlock.job;

/**
 * How many there are, as far as that is counted.
 *
 * @param count so many at least
 * @param more whether there may be more; else there are just so many
 */
public record Total(long count, boolean more) {

    /** What is more is not counted. */
    public static final int MOST = 10_000;

    /** All of them, counted up to one more than {@link #MOST}. */
    public static Total of(long counted) {
        return new Total(Math.min(counted, MOST), counted > MOST);
    }
}
