package dev.rowlock.task.rule;

import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Fire times of a schedule before and between those that have a row already. */
final class MissingFireTimes {

    private static final int MOST = 2_000;

    static final String TOO_MANY =
            "not made: more than " + MOST + " came before one that had run already; rescheduling the job makes more";

    private final Schedule schedule;
    private final NavigableSet<Instant> made;
    private final NavigableSet<Instant> filled = new TreeSet<>();
    private final List<Span> left = new ArrayList<>();

    /** @param made has all of them when something is filled */
    MissingFireTimes(Schedule schedule, NavigableSet<Instant> made) {
        this.schedule = schedule;
        this.made = made;
    }

    NavigableSet<Instant> filled() {
        return filled;
    }

    /** Returns the spans that get no rows, as they would be too many. */
    List<Span> left() {
        return left;
    }

    /** Fills what lies after {@code now} and before the furthest row, and returns up to when nothing is left out. */
    Instant fill(Instant now) {
        Instant complete = now;
        Optional<Instant> t = schedule.nextAfter(now);
        while (t.isPresent() && !made.isEmpty() && !t.get().isAfter(made.last())) {
            if (!made.contains(t.get())) {
                if (filled.size() == MOST) {
                    return complete;
                }
                filled.add(t.get());
            }
            complete = t.get();
            t = schedule.nextAfter(complete);
        }
        return made.isEmpty() || made.last().isBefore(complete) ? complete : made.last();
    }

    /** Fills likewise, and counts what would be too many; returns the fire time behind which the cursor goes. */
    Instant fillAll(Instant now) {
        Instant complete = fill(now);
        for (Instant next : List.copyOf(made.tailSet(complete, false))) {
            Instant before = next.minusMillis(1);
            long count = schedule.countBetween(complete, before);
            if (count > 0) {
                Instant first = schedule.nextAfter(complete).orElse(before);
                left.add(new Span(first, schedule.lastBetween(complete, before).orElse(first), count));
            }
            complete = next;
        }
        return complete;
    }
}
