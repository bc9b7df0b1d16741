package dev.rowlock.cli.call;

import dev.rowlock.field.TimeText;
import dev.rowlock.field.TimeText.Towards;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import picocli.CommandLine.TypeConversionException;

/**
 * Time as people type it, by a clock and in a zone that are not known yet.
 *
 * @param said for messages
 */
public record When(TimeText text, String said) {

    public static When parse(String said) {
        return new When(
                TimeText.parse(said)
                        .orElseThrow(
                                () -> new TypeConversionException("\"" + said + "\" is neither " + TimeText.FORMS)),
                said);
    }

    /** Returns true if it depends on a zone. */
    boolean needsZone() {
        return text.needsZone();
    }

    public Instant at(Instant now, ZoneId zone) {
        return text.at(now, zone, Towards.PAST);
    }

    /** Returns it in UTC, for where no zone is known. */
    public Instant at(Instant now) {
        return at(now, ZoneOffset.UTC);
    }
}
