package dev.rowlock.freeze;

import dev.rowlock.task.Hold;
import dev.rowlock.task.Task;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decision on the next occurrence of a job that a freeze covers, or has covered, before it is prepared. Where the
 * latest occurrence alone is kept, the cursor waits for the end of the freeze: all that came due is then decided
 * together, and nothing is written meanwhile.
 *
 * @param until when it is looked at again; null: it is not parked
 * @param reason for people; null likewise
 */
public record FrozenCursor(
        CursorAction action,
        @Nullable Instant until,
        @Nullable String reason) {

    private static final FrozenCursor PREPARE = new FrozenCursor(CursorAction.PREPARE, null, null);
    private static final FrozenCursor STAY = new FrozenCursor(CursorAction.STAY, null, null);
    private static final FrozenCursor SETTLE = new FrozenCursor(CursorAction.SETTLE, null, null);

    /**
     * Rules of a job for its cursor.
     *
     * @param keepsSeveral whether several of its occurrences are held, each by its start
     * @param threshold how late an occurrence may start normally
     * @param startDeadline how late it may start at all; null: at any time
     */
    public record CursorRules(
            boolean keepsSeveral,
            Duration threshold,
            @Nullable Duration startDeadline) {}

    /** Treatment of a cursor. */
    public enum CursorAction {
        /** Its occurrence is prepared like any other; the start holds or skips it if a freeze wants that. */
        PREPARE,
        /** It waits where it stands. */
        PARK,
        /** It does already. */
        STAY,
        /** It is due when its schedule says so, and held by nothing: a freeze was lifted before its time. */
        RELEASE,
        /** All that came due of its job is decided together. */
        SETTLE
    }

    /**
     * Decides on a cursor.
     *
     * @param rules of its job
     * @param freeze what covers the job when the cursor's occurrence is due, or now, if that is later; null: nothing
     */
    public static FrozenCursor of(Task cursor, CursorRules rules, @Nullable CoveringFreezes freeze, Instant now) {
        boolean isHeld = cursor.hold() == Hold.FREEZE;
        boolean isDue = !cursor.scheduled().isAfter(now);
        if (rules.keepsSeveral
                || freeze == null
                || freeze.skips(cursor.scheduled()).isPresent()) {
            return !isHeld ? PREPARE : isDue && !rules.keepsSeveral ? SETTLE : release(cursor);
        }
        boolean isMisfire = cursor.late(now).compareTo(rules.threshold) > 0;
        Instant deadline =
                rules.startDeadline == null ? Instant.MAX : cursor.fireTime().plus(rules.startDeadline);
        if (!isHeld && (isMisfire || now.isAfter(deadline)) && !freeze.covered(cursor.scheduled())) {
            return PREPARE; // with all that is overdue of its job
        }
        if (now.isAfter(deadline)) {
            return SETTLE;
        }
        Instant end = freeze.until().isBefore(deadline) ? freeze.until() : deadline.plusMillis(1);
        return isHeld && cursor.due().equals(end)
                ? STAY
                : new FrozenCursor(CursorAction.PARK, end, freeze.last().said());
    }

    /** Returns the decision for a cursor that nothing holds any more. */
    public static FrozenCursor release(Task cursor) {
        return new FrozenCursor(CursorAction.RELEASE, cursor.scheduled(), null);
    }
}
