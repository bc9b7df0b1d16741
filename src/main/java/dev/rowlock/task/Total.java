package dev.rowlock.task;

/**
 * Total number, as far as it is counted.
 *
 * @param count so many at least
 * @param more whether there may be more; else there are just so many
 */
public record Total(long count, boolean more) {

    /** Number from which counting stops. */
    public static final int MOST = 10_000;

    /** Returns the total of a count that went up to one more than {@link #MOST}. */
    public static Total of(long counted) {
        return new Total(Math.min(counted, MOST), counted > MOST);
    }
}
