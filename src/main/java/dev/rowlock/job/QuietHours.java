package dev.rowlock.job;

import static dev.rowlock.job.Field.optional;
import static dev.rowlock.job.Field.required;

import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;

/**
 * The hours of each day in which nobody is told; messages wait for their end.
 *
 * @param to earlier than {@code from}: on the next day
 */
public record QuietHours(ZoneId zone, LocalTime from, LocalTime to) {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    static final FieldTable<QuietHours> TABLE = new FieldTable<>(
            "quietHours",
            QuietHours.class,
            List.of(
                    optional("zone", JobFieldTypes.zone(), ZoneId.of("UTC"), "where these times of day are meant"),
                    required("from", time(), LocalTime.MIDNIGHT, "a time of day such as 22:00"),
                    required("to", time(), LocalTime.MIDNIGHT, "a time of day such as 07:00")),
            List.of());

    private static FieldType<LocalTime> time() {
        return FieldType.written(
                "a time of day such as `22:00`",
                "22:00",
                (text, place) -> {
                    try {
                        return LocalTime.parse(text, TIME);
                    } catch (DateTimeException e) {
                        return place.refuse("'" + text + "' is not a time of day; write it like 22:00");
                    }
                },
                TIME::format);
    }
}
