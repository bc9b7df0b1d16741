package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.CalendarRule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Schedule of instants, such as {@code @every}, without those on closed dates. */
final class OpenSchedule implements Schedule {

    private static final long HORIZON = 366L * Calendar.MAX_YEARS * FireTimes.SECONDS_PER_DAY;

    private final Schedule whole;
    private final boolean zoneInText;
    private final CalendarRule rule;
    private final OpenDates dates;

    /**
     * @param whole one whose fire times are whole seconds
     * @param zoneInText whether a prefix names its zone, which its dates are of
     */
    OpenSchedule(Schedule whole, boolean zoneInText, CalendarRule rule) {
        this.whole = whole;
        this.zoneInText = zoneInText;
        this.rule = rule;
        this.dates = new OpenDates(ZoneTimeline.of(whole.zone()), rule.calendars());
    }

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        Optional<Instant> next = whole.nextAfter(t);
        long first = next.map(Instant::getEpochSecond).orElse(FireTimes.NONE);
        while (next.isPresent()) {
            long second = next.get().getEpochSecond();
            long opens = dates.opensFrom(second);
            if (opens == second) {
                return next;
            }
            if (opens == FireTimes.NONE || opens > FireTimes.LAST || opens - first > HORIZON) {
                return Optional.empty();
            }
            next = whole.nextAfter(Instant.ofEpochSecond(opens - 1));
        }
        return next;
    }

    @Override
    public long countBetween(Instant afterExclusive, Instant untilInclusive) {
        long until = Math.min(untilInclusive.getEpochSecond(), FireTimes.LAST);
        long after = Math.min(afterExclusive.getEpochSecond(), FireTimes.LAST);
        long from = Math.max(
                whole.nextAfter(Instant.ofEpochSecond(after))
                        .map(Instant::getEpochSecond)
                        .orElse(FireTimes.NONE),
                FireTimes.FIRST);
        long count = 0;
        while (from <= until) {
            long opens = dates.opensFrom(from);
            if (opens == from) {
                long end = Math.min(dates.closesAfter(from) - 1, until);
                count += whole.countBetween(Instant.ofEpochSecond(from - 1), Instant.ofEpochSecond(end));
                from = end + 1;
            } else {
                from = opens;
            }
        }
        return count;
    }

    @Override
    public Schedule anchoredAt(Instant anchor, Instant since) {
        return new OpenSchedule(whole.anchoredAt(anchor, since), zoneInText, rule);
    }

    @Override
    public String normalized() {
        return (zoneInText ? "TZ=" + zone().getId() + " " : "") + whole.normalized();
    }

    @Override
    public String description() {
        return whole.description() + "; not on days that are closed in " + rule.names();
    }

    @Override
    public ZoneId zone() {
        return whole.zone();
    }

    @Override
    public boolean isZoned() {
        return dates.isZoned();
    }

    @Override
    public List<String> warnings(Instant from) {
        return nextAfter(from).isEmpty() ? List.of("it never fires after " + from) : List.of();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OpenSchedule that
                && whole.equals(that.whole)
                && zoneInText == that.zoneInText
                && rule.equals(that.rule);
    }

    @Override
    public int hashCode() {
        return 31 * whole.hashCode() + rule.hashCode();
    }
}
