package dev.rowlock.report.verify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Discrepancy in the fire times of a job.
 *
 * @param first the fire time, or the first of several
 * @param last the last of them
 * @param count how many
 * @param before what stands for the fire time before; for {@link DiscrepancyKind#DOUBLE} the other one; null: there is
 *     nothing
 * @param found what is wrong, or what comes after something that is missing; null: there is nothing
 */
public record Discrepancy(
        DiscrepancyKind kind,
        Instant first,
        Instant last,
        long count,
        @Nullable AccountingEntry before,
        @Nullable AccountingEntry found) {

    /** Kind of discrepancy. */
    public enum DiscrepancyKind {
        /** The schedule has this fire time, and neither history nor a live task accounts for it. */
        MISSING,
        /** More than one row accounts for it. */
        DOUBLE,
        /** There is a row for a fire time that no schedule had. */
        NOT_ASKED_FOR,
        /** One row stands for several fire times, but the schedule has {@code count}. */
        MISCOUNTED,
        /** A row names a next fire time for which there is no row. */
        BROKEN_LINK,
        /** The row from which the next occurrence would be made is missing: from {@code first} on nothing will fire. */
        NO_CURSOR,
        /** A row lies beyond the cursor, which would create it again. */
        BEYOND_CURSOR,
        /** Something did not run, and the row does not say why. */
        WITHOUT_REASON
    }
}
