package dev.rowlock.definition;

import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.Zones;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
        Instant startAt = definition.startAt();
        Schedule whole = Schedule.parse(
                definition.schedule(),
                Zones.of(definition.zone()),
                definition.daylightSaving(),
                startAt == null ? createdAt : startAt);
        return new JobSchedule(whole, startAt, definition.endAt());
    }

    /** Returns whether two definitions of the same job have the same fire times by the same rules. */
    public static boolean isSame(JobDefinition a, JobDefinition b, Instant createdAt) {
        JobSchedule left = of(a, createdAt);
        JobSchedule right = of(b, createdAt);
        return left.normalized().equals(right.normalized())
                && left.zone().equals(right.zone())
                && a.daylightSaving() == b.daylightSaving()
                && Objects.equals(a.startAt(), b.startAt())
                && Objects.equals(a.endAt(), b.endAt());
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
        Instant after = startAt == null || !afterExclusive.isBefore(startAt) ? afterExclusive : startAt.minusMillis(1);
        Instant until = endAt == null || untilInclusive.isBefore(endAt) ? untilInclusive : endAt.minusMillis(1);
        return whole.countBetween(afterExclusive.isAfter(after) ? afterExclusive : after, until);
    }

    @Override
    public long secondsOf(long minute) {
        Instant begin = Instant.ofEpochSecond(minute);
        Instant end = Instant.ofEpochSecond(minute + 60);
        boolean isWhole = (startAt == null || !startAt.isAfter(begin)) && (endAt == null || !endAt.isBefore(end));
        return isWhole ? whole.secondsOf(minute) : Schedule.super.secondsOf(minute);
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
