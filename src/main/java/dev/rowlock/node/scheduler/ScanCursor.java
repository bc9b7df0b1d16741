package dev.rowlock.node.scheduler;

import dev.rowlock.task.transition.DuePosition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Position at which the next scan begins. When one is full of what this node can do nothing with, the next begins
 * behind it, so that however much of it there is does not hide the rest; some at once, the others with the next poll.
 */
final class ScanCursor {

    /** Bound on successive scans that find next to nothing. */
    private static final int MOST = 20;

    private Begin begin = Begin.START;
    private @Nullable DuePosition next;
    private int scans;

    /** Place where a scan begins. */
    enum Begin {
        START,
        /** Behind the end of the scan before, which found next to nothing. */
        BEHIND,
        /** Behind what is long past, once. */
        ASIDE
    }

    Begin begin() {
        return begin;
    }

    DuePosition from(Instant oldest) {
        return next == null ? DuePosition.at(oldest) : next;
    }

    /**
     * Notes how far a scan has come.
     *
     * @param end where it ended; null: it has found all there is
     * @param barren it found next to nothing that this node can work on
     * @return true: the next should follow at once
     */
    boolean scannedUpTo(@Nullable DuePosition end, boolean barren) {
        boolean wasAside = begin == Begin.ASIDE;
        next = barren && !wasAside ? end : null;
        begin = next == null ? Begin.START : Begin.BEHIND;
        scans = next == null || wasAside ? 0 : (scans + 1) % MOST;
        return wasAside || scans > 0;
    }

    /** Lets the next scan leave out what is before this. The one after it begins at the start, and follows at once. */
    void lookAside(DuePosition from) {
        next = from;
        scans = 0;
        begin = Begin.ASIDE;
    }
}
