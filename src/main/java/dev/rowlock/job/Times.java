package dev.rowlock.job;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Instants as people read them: ISO-8601 in UTC, with exactly three decimals. */
public final class Times {

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Times() {}

    public static String text(Instant t) {
        return FORM.format(t.truncatedTo(ChronoUnit.MILLIS));
    }

    public static @Nullable String orNull(@Nullable Instant t) {
        return t == null ? null : text(t);
    }
}
