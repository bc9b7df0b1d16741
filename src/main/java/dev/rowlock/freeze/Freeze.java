package dev.rowlock.freeze;

import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Freeze as it is stored: from an instant on, and before another, what it covers does not start.
 *
 * @param reason for people; empty: none was given
 * @param by the name of who made it
 * @param heldUntil up to when tasks may be held for it though it ends before: they are still to be woken; null: none is
 * @param endedBy who ended it before its time; null: nobody did
 */
public record Freeze(
        long id,
        FreezeScope scope,
        FreezeEffect then,
        Instant from,
        Instant until,
        String reason,
        String by,
        Instant createdAt,
        @Nullable Instant heldUntil,
        @Nullable String endedBy) {

    private static final String SAID = "freeze ";

    private static final Pattern NAMED = Pattern.compile(SAID + "([0-9]{1,18}) by .*");

    /** Bound on what is said of it: other words go with it into a column. */
    private static final int LONGEST = 400;

    public boolean covers(JobKey job, Map<String, String> labels) {
        return scope.covers(job, labels);
    }

    public boolean isInForce(Instant at) {
        return !at.isBefore(from) && at.isBefore(until);
    }

    /** Returns whether tasks may be held for it beyond its end. */
    public boolean isToBeWoken() {
        return heldUntil != null;
    }

    /** Returns whether it is in force at some instant from the one on and before the other. */
    public boolean overlaps(Instant first, Instant end) {
        return from.isBefore(end) && until.isAfter(first);
    }

    /** Returns whether this reason in history is that of an occurrence which a freeze skipped. */
    public static boolean isSkip(@Nullable String reason) {
        return reason != null && reason.startsWith(SAID);
    }

    /** Returns the number of the freeze that such a text is of, as {@link #said} returns it; null: of none. */
    public static @Nullable Long named(String said) {
        Matcher text = NAMED.matcher(said);
        return text.lookingAt() ? Long.valueOf(text.group(1)) : null;
    }

    /** Returns its number, who made it, until when it lasts, and why, for people. */
    public String said() {
        String said = SAID + id + " by " + by + " until " + Times.text(until) + (reason.isEmpty() ? "" : ": " + reason);
        int most = Math.min(LONGEST, said.codePointCount(0, said.length()));
        return said.substring(0, said.offsetByCodePoints(0, most));
    }
}
