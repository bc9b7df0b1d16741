package dev.rowlock.node;

import java.time.Duration;

/**
 * Pace of work in the background: how much to do at a time, and how long to rest between, so that others hardly notice.
 * Batches take some 50 ms, or more where nobody waits for the locks, and rests are longer while the server is slow. For
 * one thread.
 */
public final class Pace {

    /** Factor by which a row takes longer than in the best recent batch when the server has other things to do. */
    private static final double BUSY = 2;
    /** Factor by which the best batch is forgotten little by little, as rows may have become larger. */
    private static final double FORGOTTEN = 1.01;

    private final int least;
    private final int most;
    private final Duration brief;
    private final Duration tooLong;
    private final int restWhileBusy;

    private int rows;
    private double best = Double.MAX_VALUE;
    private double strain = 1;

    /**
     * Creates a pace.
     *
     * @param restWhileBusy rest, as a multiple of the time that the batch took
     */
    private Pace(int least, int most, Duration brief, Duration tooLong, int restWhileBusy) {
        this.restWhileBusy = restWhileBusy;
        this.least = least;
        this.most = most;
        this.brief = brief;
        this.tooLong = tooLong;
        this.rows = 5 * least;
    }

    /** Returns a pace for work that locks rows which others want. */
    public static Pace ofShortLocks() {
        return new Pace(50, 1_000, Duration.ofMillis(30), Duration.ofMillis(80), 3);
    }

    /** Returns a pace for work that locks rows which nobody waits for: more of them share the cost of a transaction. */
    public static Pace ofLargeBatches() {
        return new Pace(200, 4_000, Duration.ofMillis(120), Duration.ofMillis(350), 3);
    }

    /**
     * Returns a pace for work that others add to, and that has fallen behind: it takes half of the time, else it may
     * never catch up. Where rows that belong together share their cost, a batch must hold several of each: it is far
     * larger, and lasts seconds.
     */
    public static Pace ofCatchingUp() {
        return new Pace(1_000, 32_000, Duration.ofMillis(1_500), Duration.ofSeconds(5), 1);
    }

    /** Returns the size of the next batch. */
    public int rows() {
        return rows;
    }

    /** Notes the size of a batch and the time that it took. */
    public void took(int done, long nanos) {
        if (nanos > tooLong.toNanos()) {
            rows = Math.max(least, rows / 2);
        } else if (nanos < brief.toNanos() && done == rows) {
            rows = Math.min(most, rows * 2);
        }
        if (done > least / 2) {
            double each = (double) nanos / done;
            best = Math.min(best * FORGOTTEN, each);
            strain = each / best;
        }
    }

    /** Returns the rest after a batch that took so long. */
    public Duration restAfter(long nanos) {
        return Duration.ofNanos(strain < BUSY ? nanos / 4 : nanos * restWhileBusy);
    }
}
