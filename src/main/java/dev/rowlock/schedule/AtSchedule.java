package dev.rowlock.schedule;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Schedule {@code @at}: once.
 *
 * @param at a whole millisecond
 */
record AtSchedule(Instant at, ZoneId zone) implements Schedule {

    static AtSchedule parse(String text, ZoneId zone) {
        Instant at;
        try {
            at = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
        } catch (DateTimeParseException e) {
            String separator = text.matches("[0-9-]+ [0-9].*") ? "; write a T between date and time" : "";
            String remedy =
                    text.matches("[0-9-]+[T ][0-9:.]+") ? "; the offset from UTC is missing, such as Z or +01:00" : "";
            throw new ScheduleProblem("@at: " + Quoted.of(text)
                    + " is not a time; allowed is ISO-8601 with an offset, such as 2026-12-01T03:00:00+01:00"
                    + separator + remedy);
        }
        if (at.getEpochSecond() < FireTimes.FIRST || at.getEpochSecond() > FireTimes.LAST) {
            throw new ScheduleProblem("@at: " + Quoted.of(text) + " is out of range; allowed are the years 1 to 9999");
        }
        return new AtSchedule(at, zone);
    }

    @Override
    public Optional<Instant> nextAfter(Instant t) {
        return t.isBefore(at) ? Optional.of(at) : Optional.empty();
    }

    @Override
    public String normalized() {
        return "@at " + at;
    }

    @Override
    public String description() {
        return "once, at " + at;
    }

    @Override
    public List<String> warnings(Instant from) {
        return at.isAfter(from) ? List.of() : List.of("it never fires: " + at + " is past");
    }
}
