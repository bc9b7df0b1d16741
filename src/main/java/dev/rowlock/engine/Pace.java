package dev.rowlock.engine;

import java.time.Duration;

/**
 * How much to do at a time, and how long to rest between, so that others hardly notice: batches of some 50 ms, or
 * larger ones where nobody waits for the locks, and longer rests while the server is slow. For one thread.
 */
public final class Pace {

    /** A row that takes so many times as long as in the best batch lately: the server has other things to do. */
    private static final double BUSY = 2;
    /** The best batch is forgotten little by little, as rows may have become larger. */
    private static final double FORGOTTEN = 1.01;

    private final int least;
    private final int most;
    private final Duration brief;
    private final Duration tooLong;
    private final int restWhileBusy;

    private int rows;
    private double best = Double.MAX_VALUE;
    private double strain = 1;

    /** @param restWhileBusy so many times as long as the batch took */
    private Pace(int least, int most, Duration brief, Duration tooLong, int restWhileBusy) {
        this.restWhileBusy = restWhileBusy;
        this.least = least;
        this.most = most;
        this.brief = brief;
        this.tooLong = tooLong;
        this.rows = 5 * least;
    }

    /** For what locks rows that others want. */
    public static Pace ofShortLocks() {
        return new Pace(50, 1_000, Duration.ofMillis(30), Duration.ofMillis(80), 3);
    }

    /** For what locks rows that nobody waits for: what a transaction costs by itself is shared by more of them. */
    public static Pace ofLargeBatches() {
        return new Pace(200, 4_000, Duration.ofMillis(120), Duration.ofMillis(350), 3);
    }

    /**
     * For what others add to, and what has fallen behind: half of the time is for work, else it may never catch up.
     * Where rows that belong together share what they cost, a batch must hold several of each: it is far larger, and
     * lasts seconds.
     */
    public static Pace ofCatchingUp() {
        return new Pace(1_000, 32_000, Duration.ofMillis(1_500), Duration.ofSeconds(5), 1);
    }

    /** So many next. */
    public int rows() {
        return rows;
    }

    /** So many were done, and this is how long it took. */
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

    /** After a batch that took so long. */
    public Duration restAfter(long nanos) {
        return Duration.ofNanos(strain < BUSY ? nanos / 4 : nanos * restWhileBusy);
    }
}
