package dev.rowlock.report.count;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Histogram of durations, within 3 %: below 16 ms each has a bucket of its own, from there on 16 of them share each
 * power of two. Bounded, whatever is added; sums are exact. Mutable, for one thread.
 */
public final class Histogram {

    private static final int STEPS_SHIFT = 4;
    private static final int STEPS = 1 << STEPS_SHIFT;
    /** Longest duration, beyond any life of a node: a longer one counts as this. */
    private static final long LONGEST = 1L << 40;

    private final TreeMap<Integer, Long> counts = new TreeMap<>();

    /** @param text as {@link #text} writes it; null: empty */
    public static Histogram parse(@Nullable String text) {
        Histogram histogram = new Histogram();
        if (text != null && !text.isEmpty()) {
            for (String pair : text.split(" ", -1)) {
                int colon = pair.indexOf(':');
                histogram.counts.merge(
                        Integer.valueOf(pair.substring(0, colon)), Long.valueOf(pair.substring(colon + 1)), Long::sum);
            }
        }
        return histogram;
    }

    /** Adds a duration; a negative one, after a clock was set, counts as zero. */
    public void add(long millis) {
        counts.merge(bucket(millis), 1L, Long::sum);
    }

    public void add(Histogram other) {
        other.counts.forEach((bucket, count) -> counts.merge(bucket, count, Long::sum));
    }

    public long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns a percentile by the nearest rank.
     *
     * @param percent from 1 to 100
     * @return null: nothing was added
     */
    public @Nullable Long percentile(int percent) {
        long rank = (count() * percent + 99) / 100;
        for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
            rank -= entry.getValue();
            if (rank <= 0) {
                return middle(entry.getKey());
            }
        }
        return null;
    }

    /** Returns the readable form {@code bucket:count}, shortest first. */
    public String text() {
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    private static int bucket(long millis) {
        long value = Math.min(Math.max(millis, 0), LONGEST);
        if (value < STEPS) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int step = (int) (value >> (power - STEPS_SHIFT)) & (STEPS - 1);
        return STEPS * (power - STEPS_SHIFT + 1) + step;
    }

    private static long middle(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        return ((long) (STEPS + bucket % STEPS) << shift) + ((1L << shift) / 2);
    }
}
