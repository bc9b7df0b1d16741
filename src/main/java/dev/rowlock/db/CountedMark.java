package dev.rowlock.db;

import java.time.Instant;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jspecify.annotations.Nullable;

/**
 * Time up to which the history of the stripes that a transaction holds is counted, as {@link Locks} read it with their
 * rows. A counting step moves these marks under the same locks: whoever holds them, and writes what ended before the
 * mark, must say so, or it is not counted.
 */
public final class CountedMark implements JdbiConfig<CountedMark> {

    private @Nullable Instant through;
    private Instant lockedAt = Instant.MAX;

    void saw(@Nullable Instant mark, Instant now) {
        if (mark != null && (through == null || mark.isAfter(through))) {
            through = mark;
        }
        lockedAt = now.isBefore(lockedAt) ? now : lockedAt;
    }

    /**
     * Returns whether the counting may have passed history rows that are about to be written.
     *
     * @param endedAt null: now, by the database's clock
     */
    public boolean isPast(@Nullable Instant endedAt) {
        return through != null && (endedAt == null ? lockedAt : endedAt).isBefore(through);
    }

    /** Returns an empty copy: each transaction has its own handle, and starts with nothing that others have read. */
    @Override
    public CountedMark createCopy() {
        return new CountedMark();
    }
}
