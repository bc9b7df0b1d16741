package dev.rowlock.field;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Instants as people read them: ISO-8601 in UTC, with exactly three decimals. */
public final class Times {

    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter LOCAL = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
            .appendFraction(ChronoField.MILLI_OF_SECOND, 0, 3, true)
            .appendOffset("+HH:MM:ss", "+00:00")
            .toFormatter(Locale.ROOT);

    private Times() {}

    public static String text(Instant t) {
        return FORM.format(t.truncatedTo(ChronoUnit.MILLIS));
    }

    /** Returns the local time, with its offset from UTC. */
    public static String local(Instant t, ZoneId zone) {
        return LOCAL.format(t.atZone(zone));
    }

    public static @Nullable String orNull(@Nullable Instant t) {
        return t == null ? null : text(t);
    }
}
