package dev.rowlock.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Offsets of a zone over time, as a table. Permanent rules repeat every 400 years, so one such cycle serves all later
 * ones. Immutable. Times are seconds since 1970-01-01T00:00Z, offsets are seconds east of UTC.
 */
final class ZoneTimeline {

    /** Absence of a transition. */
    static final long NEVER = Long.MAX_VALUE;

    static final long ALWAYS = Long.MIN_VALUE;

    /** Length of a cycle, 146,097 days: 400 years, and whole weeks. */
    private static final long CYCLE = 146_097 * FireTimes.SECONDS_PER_DAY;

    private static final long CYCLE_START =
            Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();
    private static final long CYCLE_END = CYCLE_START + CYCLE;
    /** End of the table, which holds the transition after every second of the cycle. */
    private static final long TABLE_END = CYCLE_END + 2 * 366 * FireTimes.SECONDS_PER_DAY;
    /** Tables by zone, shared by all schedules; there are some 600 zones. */
    private static final ConcurrentHashMap<ZoneId, ZoneTimeline> KNOWN = new ConcurrentHashMap<>();

    /** Transitions, ascending; {@code offsets[i]} holds before {@code transitions[i]}, the last one after all. */
    private final long[] transitions;

    private final int[] offsets;
    /** Set if there are no later transitions than those in the table. */
    private final boolean complete;

    private ZoneTimeline(ZoneRules rules) {
        List<ZoneOffsetTransition> found = new ArrayList<>();
        Instant start = Instant.ofEpochSecond(FireTimes.FIRST - FireTimes.SECONDS_PER_DAY);
        ZoneOffsetTransition next = rules.nextTransition(start);
        while (next != null && next.toEpochSecond() < TABLE_END) {
            found.add(next);
            next = rules.nextTransition(next.getInstant());
        }
        complete = next == null;
        transitions =
                found.stream().mapToLong(ZoneOffsetTransition::toEpochSecond).toArray();
        offsets = new int[transitions.length + 1];
        offsets[0] = rules.getOffset(start).getTotalSeconds();
        for (int i = 0; i < transitions.length; i++) {
            offsets[i + 1] = found.get(i).getOffsetAfter().getTotalSeconds();
        }
    }

    static ZoneTimeline of(ZoneId zone) {
        // Offsets are cheap, and there are too many of them to keep.
        return zone instanceof ZoneOffset
                ? new ZoneTimeline(zone.getRules())
                : KNOWN.computeIfAbsent(zone, id -> new ZoneTimeline(id.getRules()));
    }

    /** Returns whether the offset never changes. */
    boolean isFixed() {
        return complete && transitions.length == 0;
    }

    int offsetAt(long second) {
        return offsets[countUntil(second - laterCycles(second))];
    }

    /** Returns the first transition after the given second, or {@link #NEVER}. */
    long transitionAfter(long second) {
        long cycles = laterCycles(second);
        int index = countUntil(second - cycles);
        return index < transitions.length ? transitions[index] + cycles : NEVER;
    }

    /** Returns the last transition at or before the given second, or {@link #ALWAYS}. */
    long transitionUntil(long second) {
        long cycles = laterCycles(second);
        int index = countUntil(second - cycles);
        return index == 0 ? ALWAYS : transitions[index - 1] + cycles;
    }

    /** Returns the first instant that has a local time; the jump if the clocks skip it. */
    long instantOf(long local) {
        long from = local - FireTimes.SECONDS_PER_DAY; // before it, whatever the offset
        int offset = offsetAt(from);
        while (true) {
            long change = transitionAfter(from);
            if (local - offset < change) {
                return local - offset;
            }
            offset = offsetAt(change);
            if (local - offset < change) {
                return change;
            }
            from = change;
        }
    }

    /** Returns the whole cycles, in seconds, between a time and the one in the table that it corresponds to. */
    private long laterCycles(long second) {
        return complete || second < CYCLE_END ? 0 : (second - CYCLE_START) / CYCLE * CYCLE;
    }

    /** Returns the number of transitions up to a second within the table. */
    private int countUntil(long second) {
        int last = transitions.length - 1;
        if (last < 0 || second >= transitions[last]) {
            return last + 1;
        }
        int found = Arrays.binarySearch(transitions, second);
        return found >= 0 ? found + 1 : -found - 1;
    }
}
