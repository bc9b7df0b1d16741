package dev.rowlock.freeze;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stretch of time in which freezes covered a job, all of it with one effect.
 *
 * @param end its last millisecond
 * @param freeze of those that decide on its effect, the last to end
 */
public record FreezeStretch(Instant from, Instant end, FreezeEffect effect, Freeze freeze) {

    private static final Comparator<Freeze> BY_EFFECT = Comparator.comparing(
                    (Freeze freeze) -> freeze.then() == FreezeEffect.SKIP)
            .thenComparing(Freeze::until)
            .thenComparing(Freeze::id, Comparator.reverseOrder());

    /**
     * Returns the stretches from an instant on, one behind the other, until nothing covers the job any more, or now.
     *
     * @param covering the freezes that cover the job at some time
     */
    public static List<FreezeStretch> of(List<Freeze> covering, Instant first, Instant now) {
        List<FreezeStretch> stretches = new ArrayList<>();
        Instant at = first;
        Optional<Freeze> by = at(covering, at);
        while (by.isPresent() && !at.isAfter(now)) {
            Instant next = boundary(covering, at);
            Instant end = next.isAfter(now) ? now : next.minusMillis(1);
            join(stretches, new FreezeStretch(at, end, by.get().then(), by.get()));
            at = next;
            by = at(covering, at);
        }
        return stretches;
    }

    /**
     * Returns the stretches within a period, each list one behind the other without a gap.
     *
     * @param until the end of the period, which is no longer part of it
     */
    public static List<List<FreezeStretch>> between(List<Freeze> covering, Instant from, Instant until) {
        List<List<FreezeStretch>> found = new ArrayList<>();
        Instant at = from;
        while (at.isBefore(until)) {
            List<FreezeStretch> stretches = of(covering, at, until.minusMillis(1));
            if (!stretches.isEmpty()) {
                found.add(stretches);
                at = stretches.get(stretches.size() - 1).end();
            }
            at = boundary(covering, at);
        }
        return found;
    }

    /** Returns whether what came due at this instant came due in it. */
    public boolean contains(Instant due) {
        return !due.isBefore(from) && !due.isAfter(end);
    }

    private static void join(List<FreezeStretch> stretches, FreezeStretch next) {
        int before = stretches.size() - 1;
        if (before >= 0 && stretches.get(before).effect == next.effect) {
            FreezeStretch first = stretches.get(before);
            Freeze last = first.freeze.until().isAfter(next.freeze.until()) ? first.freeze : next.freeze;
            stretches.set(before, new FreezeStretch(first.from, next.end, next.effect, last));
        } else {
            stretches.add(next);
        }
    }

    /** Returns the freeze that decides on what comes due at this instant: {@code SKIP} wins over {@code HOLD}. */
    private static Optional<Freeze> at(List<Freeze> covering, Instant at) {
        return covering.stream().filter(freeze -> freeze.isInForce(at)).max(BY_EFFECT);
    }

    private static Instant boundary(List<Freeze> covering, Instant after) {
        return covering.stream()
                .flatMap(freeze -> Stream.of(freeze.from(), freeze.until()))
                .filter(at -> at.isAfter(after))
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
