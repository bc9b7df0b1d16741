package dev.rowlock.task.rule;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.schedule.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fire times that appear and vanish when a job gets another schedule. Counts are exact; the work is bounded for any
 * schedules.
 *
 * @param added the first of those that appear
 * @param addedCount how many appear
 * @param removed the first of those that vanish
 * @param removedCount how many vanish
 * @param clockChanges of the zones of the schedules
 */
public record MovedFireTimes(
        List<Instant> added,
        long addedCount,
        List<Instant> removed,
        long removedCount,
        List<ClockChange> clockChanges) {

    /** Bound on fire times that are looked up one by one; more are compared by whole minutes. */
    private static final int LOOKED_UP = 2_000;

    /**
     * Window of time.
     *
     * @param after fire times after it
     * @param until and up to this
     */
    public record Window(Instant after, Instant until) {}

    /**
     * Day on which the clocks change, so that fire times differ from those of other days.
     *
     * @param day as a calendar shows it there
     * @param from the offset from UTC that ends
     * @param to the one that begins
     */
    public record ClockChange(String day, ZoneId zone, Instant at, ZoneOffset from, ZoneOffset to) {}

    /**
     * Compares two schedules.
     *
     * @param before null: there was none
     * @param after null: there is none any more
     * @param most bound on the listed fire times that appear, and on those that vanish
     */
    public static MovedFireTimes of(
            @Nullable JobSchedule before, @Nullable JobSchedule after, Window window, int most) {
        List<ClockChange> clockChanges = clockChanges(before, after, window);
        if (before == null || after == null || before.isSame(after)) {
            boolean same = before != null && after != null;
            return new MovedFireTimes(
                    same ? List.of() : first(after, window, most),
                    same ? 0 : count(after, window),
                    same ? List.of() : first(before, window, most),
                    same ? 0 : count(before, window),
                    clockChanges);
        }
        long vanish = count(before, window);
        long appear = count(after, window);
        if (Math.min(vanish, appear) > LOOKED_UP) {
            return byMinutes(before, after, window, most, clockChanges);
        }
        boolean fewer = vanish <= appear;
        Both both = lookedUp(fewer ? before : after, fewer ? after : before, window, most);
        return new MovedFireTimes(
                fewer ? both.onlyMany : both.onlyFew,
                appear - both.common,
                fewer ? both.onlyFew : both.onlyMany,
                vanish - both.common,
                clockChanges);
    }

    /** Returns whether no fire time appears or vanishes. */
    public boolean isEmpty() {
        return addedCount == 0 && removedCount == 0;
    }

    private record Both(List<Instant> onlyFew, List<Instant> onlyMany, long common) {}

    private static Both lookedUp(Schedule few, Schedule many, Window window, int most) {
        List<Instant> onlyFew = new ArrayList<>();
        Set<Instant> common = new HashSet<>();
        for (Instant t : first(few, window, LOOKED_UP)) {
            if (many.matches(t)) {
                common.add(t);
            } else if (onlyFew.size() < most) {
                onlyFew.add(t);
            }
        }
        List<Instant> onlyMany = first(many, window, most + common.size()).stream()
                .filter(t -> !common.contains(t))
                .limit(most)
                .toList();
        return new Both(onlyFew, onlyMany, common.size());
    }

    private static MovedFireTimes byMinutes(
            Schedule before, Schedule after, Window window, int most, List<ClockChange> clockChanges) {
        long from = window.after.getEpochSecond() + 1;
        long until = window.until.getEpochSecond();
        List<Instant> added = new ArrayList<>();
        List<Instant> removed = new ArrayList<>();
        long addedCount = 0;
        long removedCount = 0;
        for (long minute = Math.floorDiv(from, 60L) * 60; minute <= until; minute += 60) {
            long inside = minute >= from ? -1L : -1L << (from - minute);
            inside &= minute + 59 <= until ? -1L : (1L << (until - minute + 1)) - 1;
            long old = before.secondsOf(minute) & inside;
            long present = after.secondsOf(minute) & inside;
            addedCount += Long.bitCount(present & ~old);
            removedCount += Long.bitCount(old & ~present);
            tell(present & ~old, minute, added, most);
            tell(old & ~present, minute, removed, most);
        }
        Set<Instant> was = betweenSeconds(before, window);
        Set<Instant> is = betweenSeconds(after, window);
        return new MovedFireTimes(
                with(added, is, was, most),
                addedCount + is.stream().filter(t -> !was.contains(t)).count(),
                with(removed, was, is, most),
                removedCount + was.stream().filter(t -> !is.contains(t)).count(),
                clockChanges);
    }

    /** Returns the fire times that are no whole second: that of {@code @at} may be one, in a list of schedules. */
    private static Set<Instant> betweenSeconds(Schedule schedule, Window window) {
        return schedule.lines().stream()
                .flatMap(line -> line.nextAfter(window.after).stream())
                .filter(t ->
                        !t.equals(t.truncatedTo(ChronoUnit.SECONDS)) && !t.isAfter(window.until) && schedule.matches(t))
                .collect(Collectors.toSet());
    }

    private static List<Instant> with(List<Instant> found, Set<Instant> further, Set<Instant> without, int most) {
        return Stream.concat(found.stream(), further.stream().filter(t -> !without.contains(t)))
                .sorted()
                .limit(most)
                .toList();
    }

    private static void tell(long seconds, long minute, List<Instant> told, int most) {
        for (long rest = seconds; rest != 0 && told.size() < most; rest &= rest - 1) {
            told.add(Instant.ofEpochSecond(minute + Long.numberOfTrailingZeros(rest)));
        }
    }

    private static long count(@Nullable Schedule schedule, Window window) {
        return schedule == null ? 0 : schedule.countBetween(window.after, window.until);
    }

    private static List<Instant> first(@Nullable Schedule schedule, Window window, int most) {
        List<Instant> first = new ArrayList<>();
        Optional<Instant> next = schedule == null ? Optional.empty() : schedule.nextAfter(window.after);
        while (schedule != null && next.isPresent() && !next.get().isAfter(window.until) && first.size() < most) {
            first.add(next.get());
            next = schedule.nextAfter(next.get());
        }
        return first;
    }

    private static List<ClockChange> clockChanges(
            @Nullable JobSchedule before, @Nullable JobSchedule after, Window window) {
        List<ClockChange> changes = new ArrayList<>();
        Stream.of(Optional.ofNullable(before), Optional.ofNullable(after))
                .flatMap(Optional::stream)
                .flatMap(schedule -> schedule.lines().stream())
                .filter(Schedule::isZoned)
                .map(Schedule::zone)
                .distinct()
                .forEach(zone -> add(changes, zone, window));
        return changes;
    }

    private static void add(List<ClockChange> changes, ZoneId zone, Window window) {
        ZoneRules rules = zone.getRules();
        ZoneOffsetTransition next = rules.nextTransition(window.after);
        while (next != null && !next.getInstant().isAfter(window.until)) {
            changes.add(new ClockChange(
                    next.getDateTimeBefore().toLocalDate().toString(),
                    zone,
                    next.getInstant(),
                    next.getOffsetBefore(),
                    next.getOffsetAfter()));
            next = rules.nextTransition(next.getInstant());
        }
    }
}
