package dev.rowlock.report.explain;

import dev.rowlock.field.Times;
import dev.rowlock.report.explain.Presence.PresenceGap;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times and durations in sentences. */
final class Texts {

    private Texts() {}

    /** Returns a time in UTC, with milliseconds if there are any. */
    static String time(Instant t) {
        return t.toString();
    }

    /** Returns a time in UTC and, if it differs, in its zone. */
    static String time(Instant t, ZoneId zone) {
        return zone.getRules().isFixedOffset() && zone.getRules().getOffset(t).equals(ZoneOffset.UTC)
                ? time(t)
                : time(t) + " (" + Times.local(t, zone) + " in " + zone.getId() + ")";
    }

    /** Makes a sentence of a text that was written to follow a colon. */
    static String sentence(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) + ".";
    }

    /** Returns the time left, as exactly as it matters: to the hour from a day on, to the second from a minute on. */
    static String ahead(Instant from, Instant until) {
        Duration left = Duration.between(from, until);
        ChronoUnit unit =
                left.toDays() > 0 ? ChronoUnit.HOURS : left.toMinutes() > 0 ? ChronoUnit.SECONDS : ChronoUnit.MILLIS;
        return Durations.format(left.truncatedTo(unit));
    }

    static String millis(long millis) {
        return Durations.format(Duration.ofMillis(millis));
    }

    /** @param gap that goes on; null: there is none, or it is not known */
    static String nobody(@Nullable PresenceGap gap) {
        return gap == null ? "" : ", as none has been in contact with the database since " + time(gap.from());
    }

    static String between(Instant from, Instant until) {
        return millis(Math.max(0, Duration.between(from, until).toMillis()));
    }
}
