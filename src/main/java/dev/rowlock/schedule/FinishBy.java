package dev.rowlock.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Deadline for the end of an occurrence: a time of day, or a duration after its fire time. Immutable.
 *
 * @param time the next such local time after the fire time; null: it is a duration
 * @param after null: it is a time of day
 */
public record FinishBy(@Nullable LocalTime time, @Nullable Duration after) {

    private static final Pattern TIME_OF_DAY = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?");
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofDays(30);

    /** Returns the deadline of this text; empty if it is none. Durations go from a second to 30 days. */
    public static Optional<FinishBy> parse(String text) {
        if (TIME_OF_DAY.matcher(text).matches()) {
            return Optional.of(new FinishBy(LocalTime.parse(text), null));
        }
        return Durations.parse(text)
                .filter(after -> after.compareTo(LEAST) >= 0 && after.compareTo(MOST) <= 0)
                .map(after -> new FinishBy(null, after));
    }

    /**
     * Returns the deadline of an occurrence. A local time that the clocks skip is later by as much as they skip; of one
     * that they repeat, the first counts.
     *
     * @param zone of the line of the schedule that fired
     */
    public Instant of(Instant fireTime, ZoneId zone) {
        if (time == null) {
            return fireTime.plus(after == null ? Duration.ZERO : after);
        }
        ZonedDateTime fired = fireTime.atZone(zone);
        Instant sameDay = fired.toLocalDate().atTime(time).atZone(zone).toInstant();
        return sameDay.isAfter(fireTime)
                ? sameDay
                : fired.toLocalDate().plusDays(1).atTime(time).atZone(zone).toInstant();
    }

    /**
     * Returns the last instant whose deadline, as of a fire time, is over.
     *
     * @param zone as in {@link #of}
     */
    public Instant passedBefore(Instant now, ZoneId zone) {
        if (time == null) {
            return now.minus(after == null ? Duration.ZERO : after);
        }
        LocalDate today = now.atZone(zone).toLocalDate();
        Instant last = today.atTime(time).atZone(zone).toInstant();
        return (last.isAfter(now) ? today.minusDays(1).atTime(time).atZone(zone).toInstant() : last).minusMillis(1);
    }

    /** Returns how far a deadline lies behind its fire time at most. */
    public Duration farthest() {
        return after == null ? Duration.ofHours(27) : after;
    }

    /** Returns the text; {@link #parse} gives an equal deadline. */
    public String text() {
        return time != null ? time.toString() : Durations.format(after == null ? Duration.ZERO : after);
    }
}
