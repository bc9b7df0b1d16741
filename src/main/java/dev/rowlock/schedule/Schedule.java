package dev.rowlock.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Schedule of a job. Immutable and thread-safe. */
public interface Schedule {

    /**
     * Returns the first fire time strictly after {@code t}. Never throws. Fire times lie in the years 1 to 9999 and are
     * whole seconds, but for {@code @at} whole milliseconds.
     */
    Optional<Instant> nextAfter(Instant t);

    /** Returns whether {@code t} is a fire time. */
    default boolean matches(Instant t) {
        return nextAfter(t.minusMillis(1)).filter(t::equals).isPresent();
    }

    /**
     * Returns the number of fire times after the first instant and not after the second; 0 if they are the wrong way
     * round. Many are computed, not counted one by one.
     */
    default long countBetween(Instant afterExclusive, Instant untilInclusive) {
        long count = 0;
        Optional<Instant> next = nextAfter(afterExclusive);
        while (next.isPresent() && !next.get().isAfter(untilInclusive)) {
            count++;
            next = nextAfter(next.get());
        }
        return count;
    }

    /** Returns the last fire time after the first instant and not after the second, found by bisection. */
    default Optional<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive) {
        Optional<Instant> found = nextUpTo(afterExclusive, untilInclusive);
        if (found.isEmpty()) {
            return found;
        }
        long known = found.get().toEpochMilli();
        long end = Math.min(untilInclusive.getEpochSecond(), FireTimes.LAST + 1) * 1000
                + untilInclusive.getNano() / 1_000_000;
        while (known < end) { // the last one is at or after the one, and not after the other
            long middle = known + (end - known) / 2;
            Optional<Instant> later = nextUpTo(Instant.ofEpochMilli(middle), untilInclusive);
            if (later.isPresent()) {
                found = later;
                known = later.get().toEpochMilli();
            } else {
                end = middle;
            }
        }
        return found;
    }

    /** Returns the last of those fire times, at most {@code most}, in order. Those before them are not enumerated. */
    default List<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive, int most) {
        List<Instant> last = new ArrayList<>();
        Instant after = Newest.begin(this, afterExclusive, untilInclusive, most);
        Optional<Instant> next = nextUpTo(after, untilInclusive);
        while (next.isPresent() && last.size() < most) {
            last.add(next.get());
            next = nextUpTo(next.get(), untilInclusive);
        }
        return last;
    }

    /**
     * Returns the fire times within one minute, as bits: bit {@code n} stands for its second {@code n}. Those that are
     * no whole second are left out.
     *
     * @param minute when it begins: seconds since 1970-01-01T00:00Z, a multiple of 60
     */
    default long secondsOf(long minute) {
        long seconds = 0;
        Optional<Instant> next = nextAfter(Instant.ofEpochSecond(minute).minusMillis(1));
        while (next.isPresent() && next.get().getEpochSecond() < minute + 60) {
            long second = next.get().getEpochSecond();
            boolean isWhole = next.get().equals(Instant.ofEpochSecond(second));
            seconds |= isWhole ? 1L << (second - minute) : 0;
            next = nextAfter(next.get());
        }
        return seconds;
    }

    /** Returns the schedules that this one is the union of, in the order in which they were written. */
    default List<Schedule> lines() {
        return List.of(this);
    }

    /** Returns the number of the line, from 0, that has this fire time, the first of them; empty: it is none. */
    default OptionalInt lineAt(Instant t) {
        return matches(t) ? OptionalInt.of(0) : OptionalInt.empty();
    }

    private Optional<Instant> nextUpTo(Instant after, Instant until) {
        return nextAfter(after).filter(t -> !t.isAfter(until));
    }

    /**
     * Returns the schedule in one form for all equivalent spellings, each line on its own; parsing that again gives an
     * equal schedule.
     */
    String normalized();

    /** Returns the schedule as an English sentence. */
    String description();

    /**
     * Returns the zone that fire times are computed in: that of a {@code TZ=} prefix before fields, or the job's. Where
     * lines have several, that is the job's.
     */
    ZoneId zone();

    /** Returns the zone that a fire time is computed in. */
    default ZoneId zoneAt(Instant t) {
        return zone();
    }

    /** Returns whether fire times depend on time zone rules, so that newer rules may move them. */
    default boolean isZoned() {
        return false;
    }

    /**
     * Returns the schedule with another anchor, as far as fire times from {@code since} on are concerned: those of two
     * jobs are equal if they have the same ones.
     */
    default Schedule anchoredAt(Instant anchor, Instant since) {
        return this;
    }

    /** Returns whether it runs only on request. */
    default boolean isManual() {
        return false;
    }

    /** Returns what a person should know before relying on it in the year after {@code from}. */
    default List<String> warnings(Instant from) {
        return List.of();
    }

    /**
     * Describes the effect of a clock change on the fire times around {@code t}, as a sentence; empty if the clocks are
     * not changed within three hours, or that moves, repeats or drops no fire time.
     */
    default Optional<String> clockChange(Instant t) {
        return Optional.empty();
    }

    /** Returns whether a text has a {@code TZ=} or {@code CRON_TZ=} prefix, which overrides any other zone. */
    static boolean namesZone(String text) {
        return text.strip().startsWith("TZ=") || text.strip().startsWith("CRON_TZ=");
    }

    /**
     * Parses 5, 6 or 7 cron fields, a nickname, {@code @every}, {@code @at} or {@code @manual}, after an optional
     * {@code TZ=} or {@code CRON_TZ=} prefix.
     *
     * @param zone the job's zone, used unless the text has a prefix
     * @param anchor where {@code @every} counts from: the job's creation or {@code startAt}; cut to a whole second
     * @throws ScheduleProblem if the text is not a schedule
     */
    static Schedule parse(String text, ZoneId zone, DaylightSaving rule, Instant anchor) {
        return ScheduleParser.parse(text, zone, rule, anchor);
    }

    /**
     * Returns the union of the fire times of some schedules: the only one itself, if there is but one.
     *
     * @param zone of the job
     */
    static Schedule union(List<Schedule> lines, ZoneId zone) {
        return lines.size() == 1 ? lines.get(0) : new UnionSchedule(lines, UnionSchedule.sharedZone(lines, zone));
    }
}
