package dev.rowlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * Times as people read them: as the clocks show them here, with the offset from UTC, and how far away they are.
 *
 * @param now by this machine's clock: only for how far away something is
 */
public record Moments(Instant now, ZoneId zone) {

    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss xxx", Locale.ROOT);

    /** Parses a time of the API; empty if it is none. */
    public static Optional<Instant> parse(String text) {
        if (text.length() < 20 || text.charAt(10) != 'T' || !text.endsWith("Z")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns these times by the clocks of another zone. */
    public Moments in(ZoneId other) {
        return new Moments(now, other);
    }

    public String absolute(Instant t) {
        return FORM.format(t.atZone(zone));
    }

    /** Returns a time of an answer by the clocks here; what is none as it is, and nothing for nothing. */
    public String shown(JsonNode time) {
        return parse(time.asText()).map(this::absolute).orElse(time.asText(""));
    }

    /** Returns how far away a time is: {@code in 5m}, {@code 3h ago}. */
    public String relative(Instant t) {
        return t.isAfter(now) ? "in " + length(Duration.between(now, t)) : length(Duration.between(t, now)) + " ago";
    }

    /** Returns a length in its two largest units: {@code 2d 3h}, {@code 5m 10s}, {@code 250ms}. */
    public static String length(Duration d) {
        Duration length = d.abs();
        if (length.compareTo(Duration.ofSeconds(1)) < 0) {
            return length.toMillis() + "ms";
        }
        long[] parts = {
            length.toDays() / 365,
            length.toDays() % 365,
            length.toHoursPart(),
            length.toMinutesPart(),
            length.toSecondsPart()
        };
        String[] units = {"y", "d", "h", "m", "s"};
        int first = 0;
        while (parts[first] == 0) {
            first++;
        }
        String text = parts[first] + units[first];
        return first + 1 < parts.length && parts[first + 1] > 0
                ? text + " " + parts[first + 1] + units[first + 1]
                : text;
    }
}
