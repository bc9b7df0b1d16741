package dev.rowlock.engine;

import java.time.Duration;

/**
 * How much to do at a time, and how long to rest between, so that others hardly notice: batches of some 50 ms, and
 * rests three times as long while the server is slow. For one thread.
 */
final class Pace {

    private static final int LEAST = 50;
    private static final int MOST = 1_000;
    private static final Duration SHORT = Duration.ofMillis(30);
    private static final Duration LONG = Duration.ofMillis(80);
    /** A row that takes so many times as long as in the best batch lately: the server has other things to do. */
    private static final double BUSY = 2;
    /** The best batch is forgotten little by little, as rows may have become larger. */
    private static final double FORGOTTEN = 1.01;

    private int rows = 250;
    private double best = Double.MAX_VALUE;
    private double strain = 1;

    int rows() {
        return rows;
    }

    void took(int done, long nanos) {
        if (nanos > LONG.toNanos()) {
            rows = Math.max(LEAST, rows / 2);
        } else if (nanos < SHORT.toNanos() && done == rows) {
            rows = Math.min(MOST, rows * 2);
        }
        if (done > LEAST / 2) {
            double each = (double) nanos / done;
            best = Math.min(best * FORGOTTEN, each);
            strain = each / best;
        }
    }

    Duration restAfter(long nanos) {
        return Duration.ofNanos(strain < BUSY ? nanos / 4 : nanos * 3);
    }
}
