package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.OnClosed;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What calendars make of a line, said a second time in the plainest way: every minute of every day is asked, and what
 * falls on a closed day goes on day by day. Shares no code with the program.
 *
 * @param matchesDay whether the fields of a line ask for a day, given which days are open
 */
record CalendarOracle(
        Predicate<LocalDateTime> matchesTime,
        BiPredicate<LocalDate, Predicate<LocalDate>> matchesDay,
        int second,
        boolean followsWallClock,
        ZoneId zone,
        DaylightSaving rule,
        List<Days> calendars,
        OnClosed onClosed) {

    /** Longest stretch of closed days in what is drawn. */
    static final int MARGIN = 60;

    /** Days of one calendar. */
    record Days(
            Set<DayOfWeek> week,
            List<LocalDate> closed,
            List<MonthDay> closedEveryYear,
            List<LocalDate> open,
            @Nullable ZoneId zone) {

        boolean isOpen(LocalDate day) {
            if (open.contains(day)) {
                return true;
            }
            if (closed.contains(day) || closedEveryYear.contains(MonthDay.from(day))) {
                return false;
            }
            return week.contains(day.getDayOfWeek());
        }
    }

    /** The fire times after {@code from} until {@code until}. */
    TreeSet<Instant> fireTimes(Instant from, Instant until) {
        LocalDate first = from.atZone(zone).toLocalDate().minusDays(MARGIN);
        LocalDate last = until.atZone(zone).toLocalDate().plusDays(MARGIN);
        TreeSet<LocalDateTime> asked = new TreeSet<>();
        for (LocalDate day = first; !day.isAfter(last); day = day.plusDays(1)) {
            if (!hasOtherZones() && !matchesDay.test(day, this::isOpenDate)) {
                continue;
            }
            for (LocalDateTime time = day.atStartOfDay(); time.toLocalDate().equals(day); time = time.plusMinutes(1)) {
                LocalTime at = time.plusSeconds(second).toLocalTime();
                if (matchesTime.test(time)
                        && (!hasOtherZones() || matchesDay.test(day, other -> isOpen(other.atTime(at))))) {
                    addMoved(time.plusSeconds(second), asked);
                }
            }
        }
        TreeSet<Instant> found = new TreeSet<>();
        asked.forEach(time -> found.addAll(instants(time)));
        return new TreeSet<>(found.subSet(from, false, until, true));
    }

    private boolean hasOtherZones() {
        return calendars.stream().anyMatch(calendar -> calendar.zone() != null);
    }

    private boolean isOpenDate(LocalDate day) {
        return calendars.stream().allMatch(calendar -> calendar.isOpen(day));
    }

    private boolean isOpen(LocalDateTime time) {
        return calendars.stream().allMatch(calendar -> {
            ZoneId other = calendar.zone();
            LocalDate date = other == null || other.equals(zone)
                    ? time.toLocalDate()
                    : first(time).atZone(other).toLocalDate();
            return calendar.isOpen(date);
        });
    }

    private Instant first(LocalDateTime time) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
        return offsets.isEmpty() ? zone.getRules().getTransition(time).getInstant() : time.toInstant(offsets.get(0));
    }

    private void addMoved(LocalDateTime time, TreeSet<LocalDateTime> asked) {
        int step = onClosed == OnClosed.NEXT ? 1 : -1;
        LocalDateTime moved = time;
        for (int days = 0; onClosed != OnClosed.RUN && !isOpen(moved); days++) {
            if (onClosed == OnClosed.SKIP) {
                return;
            }
            if (days > MARGIN - 2) {
                throw new IllegalStateException("more closed days than the margin");
            }
            moved = moved.plusDays(step);
        }
        asked.add(moved);
    }

    private List<Instant> instants(LocalDateTime time) {
        return rule == DaylightSaving.SHIFT && !followsWallClock
                ? List.of(first(time))
                : zone.getRules().getValidOffsets(time).stream()
                        .map(time::toInstant)
                        .toList();
    }
}
