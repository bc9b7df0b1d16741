package dev.rowlock.cli;

import dev.rowlock.schedule.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A time as people type it: the instant itself, or how long it is ago, or until then, by a clock that is not known yet.
 *
 * @param instant null: {@code ago} counts
 */
record When(@Nullable Instant instant, Duration ago) {

    static When parse(String text) {
        try {
            return new When(OffsetDateTime.parse(text).toInstant(), Duration.ZERO);
        } catch (DateTimeException e) {
            return new When(
                    null,
                    Durations.parse(text)
                            .orElseThrow(() -> new TypeConversionException("\"" + text
                                    + "\" is neither a time, such as 2026-12-01T03:00:00Z, nor a"
                                    + " duration, such as 90s, 2h or 7d")));
        }
    }

    /** The same for what lies ahead: a duration is how long until then. */
    Instant ahead(Instant now) {
        return instant == null ? now.plus(ago) : instant;
    }

    Instant at(Instant now) {
        return instant == null ? now.minus(ago) : instant;
    }
}
