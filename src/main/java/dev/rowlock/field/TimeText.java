package dev.rowlock.field;

import dev.rowlock.schedule.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Time as people write it and as tables print it, which may need a zone and a clock to be an instant: {@code 03:00},
 * {@code yesterday 14:00}, {@code 2026-11-27 10:35:25 +00:00}, {@code 2h}.
 *
 * @param date null: the day is not said
 * @param day null: no day is named; else how many days it is from today
 * @param time null: the time of day is not said
 * @param offset null: that of a zone
 * @param span null: it is no distance from now
 */
public record TimeText(
        @Nullable LocalDate date,
        @Nullable Integer day,
        @Nullable LocalTime time,
        @Nullable ZoneOffset offset,
        @Nullable Duration span) {

    /** Description for people who wrote something else. */
    public static final String FORMS =
            "a time, such as 03:00, yesterday 14:00, 2026-12-01 03:00 or 2026-12-01T03:00:00Z, or a duration, such as"
                    + " 90s, 2h or 7d";

    private static final Map<String, Integer> DAYS = Map.of("today", 0, "yesterday", -1, "tomorrow", 1);
    private static final String TIME =
            "(?<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?) ?(?<offset>z|[+-][0-9]{2}(?::?[0-9]{2})?)?";
    private static final Pattern FORM = Pattern.compile(
            "(?:(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})|(?<day>today|yesterday|tomorrow))?(?<between>[T ])?(?:" + TIME
                    + ")?");

    /** Direction in which an incomplete time is meant. */
    public enum Towards {
        PAST,
        FUTURE
    }

    /** Parses a text; empty if it is no time. */
    public static Optional<TimeText> parse(String said) {
        String text = said.strip().replaceAll("\\s+", " ");
        String lower = text.toLowerCase(Locale.ROOT).replaceFirst("(?<=[0-9])t(?=[0-9])", "T");
        if (lower.equals("now")) {
            return Optional.of(new TimeText(null, null, null, null, Duration.ZERO));
        }
        Optional<Duration> span = Durations.parse(text);
        if (span.isPresent()) {
            return span.map(length -> new TimeText(null, null, null, null, length));
        }
        Matcher form = FORM.matcher(lower);
        try {
            return form.matches() && isJoined(form) ? Optional.of(of(form)) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty(); // such as the 30th of February
        }
    }

    /** Returns whether the text is a day, a time, or a day with a time after it. */
    private static boolean isJoined(Matcher form) {
        boolean hasDay = form.group("date") != null || form.group("day") != null;
        boolean hasTime = form.group("time") != null;
        return (hasDay || hasTime) && (hasDay && hasTime) == (form.group("between") != null);
    }

    private static TimeText of(Matcher form) {
        String time = form.group("time");
        String offset = form.group("offset");
        return new TimeText(
                form.group("date") == null ? null : LocalDate.parse(form.group("date")),
                form.group("day") == null ? null : DAYS.get(form.group("day")),
                time == null ? null : LocalTime.parse((time.indexOf(':') == 1 ? "0" : "") + time.replace(',', '.')),
                offset == null ? null : ZoneOffset.of(offset.toUpperCase(Locale.ROOT)),
                null);
    }

    /** Returns whether this is the same instant everywhere and at any time. */
    public boolean isWhole() {
        return date != null && offset != null;
    }

    /** Returns whether this depends on a zone. */
    public boolean needsZone() {
        return span == null && offset == null;
    }

    /** Returns the instant, in UTC if there is no offset; empty if it depends on a clock. */
    public Optional<Instant> inUtc() {
        return date == null ? Optional.empty() : Optional.of(at(Instant.EPOCH, ZoneOffset.UTC, Towards.PAST));
    }

    /**
     * Returns the instant that is meant. A time of day without a day is the last one, or the next one.
     *
     * @param zone where it is meant if it says no offset
     */
    public Instant at(Instant now, ZoneId zone, Towards towards) {
        if (span != null) {
            return towards == Towards.PAST ? now.minus(span) : now.plus(span);
        }
        ZoneId where = offset == null ? zone : offset;
        LocalDate today = now.atZone(where).toLocalDate();
        LocalDate said = date == null ? today.plusDays(day == null ? 0 : day) : date;
        ZonedDateTime at =
                time == null ? said.atStartOfDay(where) : said.atTime(time).atZone(where);
        if (date != null || day != null) {
            return at.toInstant();
        }
        boolean isMeant = towards == Towards.PAST
                ? !at.toInstant().isAfter(now)
                : at.toInstant().isAfter(now);
        return isMeant
                ? at.toInstant()
                : said.plusDays(towards == Towards.PAST ? -1 : 1)
                        .atTime(time == null ? LocalTime.MIDNIGHT : time)
                        .atZone(where)
                        .toInstant();
    }
}
