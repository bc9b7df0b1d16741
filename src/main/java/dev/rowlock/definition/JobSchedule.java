package dev.rowlock.definition;

import dev.rowlock.definition.calendar.JobCalendars;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.Zones;
import dev.rowlock.schedule.calendar.CalendarRule;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Schedule of one job: the fire times of its expression, from {@code startAt} on and before {@code endAt}. */
public final class JobSchedule implements Schedule {

    private final Schedule whole;
    private final @Nullable Instant startAt;
    private final @Nullable Instant endAt;

    private JobSchedule(Schedule whole, @Nullable Instant startAt, @Nullable Instant endAt) {
        this.whole = whole;
        this.startAt = startAt;
        this.endAt = endAt;
    }

    /** @param createdAt of the job; {@code @every} counts from it unless there is a {@code startAt} */
    public static JobSchedule of(JobDefinition definition, Instant createdAt) {
        return of(definition, createdAt, definition.calendarRule());
    }

    /** Returns the schedule as if {@code onClosed} were {@code RUN}: with the fire times that closed days change. */
    public static JobSchedule onClosedDaysToo(JobDefinition definition, Instant createdAt) {
        JobCalendars calendars = definition.calendar();
        return of(definition, createdAt, calendars == null ? null : calendars.rule(OnClosed.RUN));
    }

    /**
     * Returns whether calendars leave a job no fire time after an instant, though its schedule would have some if every
     * day were open.
     */
    public static boolean isClosedForGood(JobDefinition definition, Instant createdAt, Instant now) {
        JobCalendars calendars = definition.calendar();
        return calendars != null
                && of(definition, createdAt).nextAfter(now).isEmpty()
                && of(definition, createdAt, calendars.ruleOfOpenDays(definition.onClosed()))
                        .nextAfter(now)
                        .isPresent();
    }

    private static JobSchedule of(JobDefinition definition, Instant createdAt, @Nullable CalendarRule calendars) {
        Instant startAt = definition.startAt();
        Schedule whole = definition
                .schedule()
                .make(
                        Zones.of(definition.zone()),
                        definition.daylightSaving(),
                        startAt == null ? createdAt : startAt,
                        calendars);
        return new JobSchedule(whole, startAt, definition.endAt());
    }

    /** Returns whether two definitions of the same job have the same fire times by the same rules. */
    public static boolean isSame(JobDefinition a, JobDefinition b, Instant createdAt) {
        JobSchedule left = of(a, createdAt);
        JobSchedule right = of(b, createdAt);
        return left.texts().equals(right.texts())
                && a.daylightSaving() == b.daylightSaving()
                && Objects.equals(a.calendarRule(), b.calendarRule())
                && Objects.equals(a.startAt(), b.startAt())
                && Objects.equals(a.endAt(), b.endAt());
    }

    /** Returns the lines as a set: their order decides whose a fire time is, not which there are. */
    private Set<List<Object>> texts() {
        return whole.lines().stream()
                .map(line -> List.<Object>of(line.normalized(), line.zone()))
                .collect(Collectors.toSet());
    }

    /** Returns whether both are the same schedule; different ones may still have the same fire times. */
    public boolean isSame(JobSchedule other) {
        return whole.equals(other.whole)
                && Objects.equals(startAt, other.startAt)
                && Objects.equals(endAt, other.endAt);
    }

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        Instant from = startAt == null || t.isAfter(startAt) ? t : startAt.minusMillis(1);
        Instant after = from.isBefore(t) ? t : from;
        return whole.nextAfter(after).filter(next -> endAt == null || next.isBefore(endAt));
    }

    @Override
    public long countBetween(Instant afterExclusive, Instant untilInclusive) {
        return whole.countBetween(fromStart(afterExclusive), toEnd(untilInclusive));
    }

    @Override
    public Optional<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive) {
        return whole.lastBetween(fromStart(afterExclusive), toEnd(untilInclusive));
    }

    @Override
    public List<Instant> lastBetween(Instant afterExclusive, Instant untilInclusive, int most) {
        return whole.lastBetween(fromStart(afterExclusive), toEnd(untilInclusive), most);
    }

    /** Returns an instant after which the same fire times follow, none of which is before the start. */
    private Instant fromStart(Instant afterExclusive) {
        Instant before = startAt == null ? afterExclusive : startAt.minusMillis(1);
        return afterExclusive.isAfter(before) ? afterExclusive : before;
    }

    /** Returns an instant up to which the same fire times lie, none of which is at the end or after it. */
    private Instant toEnd(Instant untilInclusive) {
        return endAt == null || untilInclusive.isBefore(endAt) ? untilInclusive : endAt.minusMillis(1);
    }

    @Override
    public long secondsOf(long minute) {
        Instant begin = Instant.ofEpochSecond(minute);
        Instant end = Instant.ofEpochSecond(minute + 60);
        boolean isWhole = (startAt == null || !startAt.isAfter(begin)) && (endAt == null || !endAt.isBefore(end));
        return isWhole ? whole.secondsOf(minute) : Schedule.super.secondsOf(minute);
    }

    @Override
    public List<Schedule> lines() {
        return whole.lines();
    }

    @Override
    public OptionalInt lineAt(Instant t) {
        boolean isInside = (startAt == null || !t.isBefore(startAt)) && (endAt == null || t.isBefore(endAt));
        return isInside ? whole.lineAt(t) : OptionalInt.empty();
    }

    @Override
    public ZoneId zoneAt(Instant t) {
        return whole.zoneAt(t);
    }

    @Override
    public String normalized() {
        return whole.normalized();
    }

    @Override
    public String description() {
        return whole.description();
    }

    @Override
    public ZoneId zone() {
        return whole.zone();
    }

    @Override
    public boolean isZoned() {
        return whole.isZoned();
    }

    @Override
    public boolean isManual() {
        return whole.isManual();
    }

    @Override
    public Optional<String> clockChange(Instant t) {
        return whole.clockChange(t);
    }

    @Override
    public List<String> warnings(Instant from) {
        return whole.warnings(from);
    }
}
