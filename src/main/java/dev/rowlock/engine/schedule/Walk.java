package dev.rowlock.engine.schedule;

import dev.rowlock.store.task.DuePosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the next scan begins. When one is full of what this node can do nothing with, the next begins behind it, so
 * that however much of it there is does not hide the rest; some at once, the others with the next poll.
 */
final class Walk {

    /** So many scans in succession may have found next to nothing. */
    private static final int MOST = 20;

    private @Nullable DuePosition next;
    private int scans;
    private boolean aside;

    /** False: the next scan begins further on. */
    boolean isAtStart() {
        return next == null;
    }

    DuePosition from(Instant floor) {
        return next == null ? DuePosition.at(floor) : next;
    }

    /**
     * After a scan.
     *
     * @param end where it ended; null: it has found all there is
     * @param barren it found next to nothing that this node can work on
     * @return true: the next should follow at once
     */
    boolean scannedUpTo(@Nullable DuePosition end, boolean barren) {
        if (aside) {
            aside = false;
            next = null;
            return true;
        }
        next = barren ? end : null;
        scans = next == null ? 0 : (scans + 1) % MOST;
        return scans > 0;
    }

    /** The next scan leaves out what is before this. The one after it begins at the start, and follows at once. */
    void lookAside(DuePosition from) {
        next = from;
        scans = 0;
        aside = true;
    }

    /** Whether the next scan is such a one. */
    boolean looksAside() {
        return aside;
    }
}
