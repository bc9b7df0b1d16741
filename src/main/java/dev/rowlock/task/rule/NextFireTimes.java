package dev.rowlock.task.rule;

import java.time.Instant;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Next fire times of rows, when rows come and go.
 *
 * @param rows the fire times that have, or get, a row
 * @param cursor where the cursor was; it may move
 */
record NextFireTimes(NavigableSet<Instant> rows, @Nullable Instant cursor) {

    /**
     * Returns the first after {@code t} that has, or gets, a row: the one known before, unless that was the cursor's.
     */
    @Nullable
    Instant after(Instant t, @Nullable Instant known) {
        Instant found = rows.higher(t);
        if (known == null || !known.isAfter(t) || known.equals(cursor)) {
            return found;
        }
        return found == null || known.isBefore(found) ? known : found;
    }
}
