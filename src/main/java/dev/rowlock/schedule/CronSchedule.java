package dev.rowlock.schedule;

import dev.rowlock.schedule.calendar.CalendarRule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Cron expression in a zone, under a rule for clock changes: instants of matching local times. */
final class CronSchedule implements Schedule {

    /** Largest difference of any local time from UTC. */
    private static final long MAX_OFFSET = 18 * 3600;
    /** Distance to search while clock changes skip one matching local time after the other. */
    private static final long HORIZON = 50 * 366 * FireTimes.SECONDS_PER_DAY;

    final CronExpression cron;
    /** Its local times, as calendars leave them. */
    final LocalTimes times;

    private final ZoneId zone;
    private final boolean zoneInText;
    final DaylightSaving rule;
    /** Remarks on the way it was written. */
    final List<String> remarks;

    final ZoneTimeline timeline;
    /** Set if skipped local times fire at the jump and repeated ones only once. */
    final boolean oncePerLocalTime;

    CronSchedule(CronExpression cron, ZoneId zone, boolean zoneInText, DaylightSaving rule, List<String> remarks) {
        this.cron = cron;
        this.zone = zone;
        this.zoneInText = zoneInText;
        this.rule = rule;
        this.remarks = List.copyOf(remarks);
        this.timeline = ZoneTimeline.of(zone);
        CalendarRule calendars = cron.calendars();
        this.times = calendars == null ? cron : OpenTimes.of(cron, calendars, timeline);
        this.oncePerLocalTime = rule == DaylightSaving.SHIFT && !cron.followsWallClock();
    }

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        return FireTimes.instant(nextAfter(t.getEpochSecond()));
    }

    /** Counts by stretches of constant offset: within one, fire times are the matching local times. */
    @Override
    public long countBetween(Instant afterExclusive, Instant untilInclusive) {
        long until = Math.min(untilInclusive.getEpochSecond(), FireTimes.LAST);
        long from = Math.max(Math.min(afterExclusive.getEpochSecond(), FireTimes.LAST) + 1, FireTimes.FIRST);
        long count = 0;
        while (from <= until) {
            long end = Math.min(timeline.transitionAfter(from) - 1, until);
            count += countInStretch(from, end);
            from = end + 1;
        }
        return count;
    }

    /**
     * Returns the seconds of a minute. Where the clocks go evenly, every minute that has a fire time has the same ones.
     */
    @Override
    public long secondsOf(long minute) {
        int offset = timeline.offsetAt(minute);
        boolean even = times.hasEvenMinutes()
                && offset % 60 == 0
                && minute >= FireTimes.FIRST
                && minute + 60 <= FireTimes.LAST
                && localFrom(minute, offset) == minute + offset
                && timeline.transitionAfter(minute) >= minute + 60;
        if (!even) {
            return Schedule.super.secondsOf(minute);
        }
        long local = times.atOrAfter(minute + offset);
        return local != CronExpression.NONE && local < minute + offset + 60 ? cron.seconds() : 0;
    }

    /** Counts fire times of a stretch without a clock change after its first instant. */
    private long countInStretch(long from, long through) {
        int offset = timeline.offsetAt(from);
        long local = localFrom(from, offset);
        if (local >= from + offset) {
            return times.count(local, through + offset);
        }
        // The clocks jumped at this instant: however many times were skipped, they fire once, together with that of the
        // instant itself.
        return Math.min(1, times.count(local, from + offset)) + times.count(from + offset + 1, through + offset);
    }

    /**
     * Returns {@link #nextAfter(Instant)} in seconds since 1970-01-01T00:00Z; {@link FireTimes#NONE} if there is none.
     */
    long nextAfter(long second) {
        if (second >= FireTimes.LAST) {
            return FireTimes.NONE;
        }
        long from = Math.max(second + 1, FireTimes.FIRST);
        long next = timeline.isFixed() ? nextInFixedOffset(from) : nextAcrossTransitions(from);
        return next > FireTimes.LAST ? FireTimes.NONE : next;
    }

    private long nextInFixedOffset(long from) {
        long offset = timeline.offsetAt(from);
        long local = times.atOrAfter(from + offset);
        return local == CronExpression.NONE ? FireTimes.NONE : Math.max(from, local - offset);
    }

    /** Goes from one stretch of constant offset to the next, and leaps over those that cannot hold a match. */
    private long nextAcrossTransitions(long start) {
        long from = start;
        while (from <= start + HORIZON) {
            int offset = timeline.offsetAt(from);
            long local = times.atOrAfter(localFrom(from, offset));
            long end = timeline.transitionAfter(from);
            // A skipped local time comes out before the transition that skipped it, where the search began.
            long candidate = local == CronExpression.NONE ? FireTimes.NONE : Math.max(from, local - offset);
            if (candidate < end || end == ZoneTimeline.NEVER) {
                return candidate;
            }
            // Two offsets after the search began, local times are past those it began with; one offset before the
            // match, short of it.
            if (end < from + 2 * MAX_OFFSET) {
                from = end;
            } else if (local == CronExpression.NONE) {
                return FireTimes.NONE;
            } else {
                from = Math.max(end, local - MAX_OFFSET - 1);
            }
        }
        return FireTimes.NONE;
    }

    /**
     * Returns the local time to search from at an instant. If a local time counts once, that is inside the skipped
     * stretch at the instant of the jump, and after the stretch that is being repeated.
     */
    private long localFrom(long from, int offset) {
        if (oncePerLocalTime) {
            long transition = timeline.transitionUntil(from);
            if (transition != ZoneTimeline.ALWAYS) {
                long jumpedFrom = transition + timeline.offsetAt(transition - 1);
                if (from == transition || jumpedFrom > from + offset) {
                    return jumpedFrom;
                }
            }
        }
        return from + offset;
    }

    @Override
    public String normalized() {
        String text = CronText.of(cron);
        return zoneInText ? "TZ=" + zone.getId() + " " + text : text;
    }

    @Override
    public String description() {
        return CronDescription.of(this);
    }

    @Override
    public ZoneId zone() {
        return zone;
    }

    @Override
    public boolean isZoned() {
        return !timeline.isFixed();
    }

    @Override
    public List<String> warnings(Instant from) {
        return new CronWarnings(this, from).all();
    }

    @Override
    public Optional<String> clockChange(Instant t) {
        long second = Math.max(FireTimes.FIRST, Math.min(t.getEpochSecond(), FireTimes.LAST));
        return isZoned() ? new CronWarnings(this, t).change(second) : Optional.empty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CronSchedule that
                && cron.equals(that.cron)
                && zone.equals(that.zone)
                && zoneInText == that.zoneInText
                && rule == that.rule;
    }

    @Override
    public int hashCode() {
        return Objects.hash(cron, zone, zoneInText, rule);
    }

    @Override
    public String toString() {
        return normalized() + " (" + zone + ", " + rule + ")";
    }
}
