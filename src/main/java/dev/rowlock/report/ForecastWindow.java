package dev.rowlock.report;

import dev.rowlock.report.Forecast.LoadBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Seconds and minutes of a window of time, with what happens in them. Mutable, for one thread. */
final class ForecastWindow {

    private final Instant from;
    private final int seconds;
    private final long[] starts;
    private final long[] skipped;
    /** Change of the number of tasks in each second from the one before. */
    private final int[] usual;

    private final int[] slow;

    ForecastWindow(Instant from, Instant until) {
        this.from = from;
        this.seconds = Math.toIntExact(Duration.between(from, until).toSeconds());
        this.starts = new long[minuteOf(seconds - 1) + 1];
        this.skipped = new long[starts.length];
        this.usual = new int[seconds + 1];
        this.slow = new int[seconds + 1];
    }

    /**
     * Adds tasks.
     *
     * @param runs how many of them start at most; skipped ones do not count
     */
    void add(int[] due, long runs, boolean skips, @Nullable Duration usual, @Nullable Duration slow, int tasks) {
        long busyUntilMillis = Long.MIN_VALUE;
        long started = 0;
        for (int second : due) {
            if (skips && second * 1000L < busyUntilMillis) {
                skipped[minuteOf(second)] += tasks;
                continue;
            }
            if (started++ == runs) {
                return;
            }
            starts[minuteOf(second)] += tasks;
            if (usual != null) {
                busyUntilMillis = second * 1000L + usual.toMillis();
                run(second, usual, Objects.requireNonNullElse(slow, usual), tasks);
            }
        }
    }

    /** Adds tasks that begin in this second, and take so long. */
    void run(int second, Duration usual, Duration slow, int tasks) {
        occupy(this.usual, second, usual, tasks);
        occupy(this.slow, second, slow, tasks);
    }

    /** Occupies seconds. One that is begun counts as a whole. */
    private void occupy(int[] changes, int second, Duration duration, int tasks) {
        long length = Math.max(1, (duration.toMillis() + 999) / 1000);
        changes[second] += tasks;
        changes[(int) Math.min(seconds, second + length)] -= tasks;
    }

    /** Returns the minute of the clock, counted from that in which the window begins. */
    private int minuteOf(int second) {
        return (int) ((from.getEpochSecond() % 60 + second) / 60);
    }

    List<LoadBucket> buckets(Duration width) {
        List<LoadBucket> buckets = new ArrayList<>();
        long step = width.toSeconds();
        long usualNow = 0;
        long slowNow = 0;
        int second = 0;
        while (second < seconds) {
            long at = Math.floorDiv(from.getEpochSecond() + second, step) * step;
            int end = (int) Math.min(seconds, at + step - from.getEpochSecond());
            long mostUsual = 0;
            long mostSlow = 0;
            int first = minuteOf(second);
            for (; second < end; second++) {
                usualNow += usual[second];
                slowNow += slow[second];
                mostUsual = Math.max(mostUsual, usualNow);
                mostSlow = Math.max(mostSlow, slowNow);
            }
            int last = minuteOf(end - 1);
            buckets.add(new LoadBucket(
                    Instant.ofEpochSecond(at),
                    Arrays.stream(starts, first, last + 1).sum(),
                    Arrays.stream(skipped, first, last + 1).sum(),
                    mostUsual,
                    mostSlow));
        }
        return buckets;
    }

    long startsIn(int minute) {
        return starts[minute];
    }

    Instant minute(int minute) {
        return Instant.ofEpochSecond((Math.floorDiv(from.getEpochSecond(), 60) + minute) * 60);
    }

    /** Returns the minutes with the most starts; of equals, the earlier ones. */
    List<Integer> hottest(int most) {
        return IntStream.range(0, starts.length)
                .filter(minute -> starts[minute] > 0)
                .boxed()
                .sorted((one, other) -> Long.compare(starts[other], starts[one]))
                .limit(most)
                .toList();
    }
}
