package dev.rowlock.engine.schedule;

import dev.rowlock.store.task.DuePosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the next look for work begins. When a look is full of what this node can do nothing with, the next begins behind it, so that however much of
 * it there is does not hide the rest; some at once, and then it goes on with the next poll.
 */
final class Walk {

    /** So many looks in a row may have found next to nothing. */
    private static final int MOST = 20;

    private @Nullable DuePosition next;
    private int looks;

    /** False: the next look begins anywhere but at the beginning. */
    boolean isAtStart() {
        return next == null;
    }

    DuePosition from(Instant floor) {
        return next == null ? DuePosition.at(floor) : next;
    }

    /**
     * After a look.
     *
     * @param end where it ended; null: it has found all there is
     * @param barren it found next to nothing that this node can work on
     * @return true: the next should follow at once
     */
    boolean lookedUpTo(@Nullable DuePosition end, boolean barren) {
        next = barren ? end : null;
        looks = next == null ? 0 : (looks + 1) % MOST;
        return looks > 0;
    }
}
