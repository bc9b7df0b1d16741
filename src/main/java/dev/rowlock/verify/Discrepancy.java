package dev.rowlock.verify;

import dev.rowlock.job.AccountingEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something about the fire times of a job that does not add up.
 *
 * @param first the fire time, or the first of several
 * @param last the last of them
 * @param count how many
 * @param before what stands for the fire time before; for {@link Kind#DOUBLE} the other one; null: there is nothing
 * @param found what is wrong, or what comes after something that is missing; null: there is nothing
 */
public record Discrepancy(
        Kind kind,
        Instant first,
        Instant last,
        long count,
        @Nullable AccountingEntry before,
        @Nullable AccountingEntry found) {

    /** What is wrong. */
    public enum Kind {
        /** The schedule asks for it, and neither history nor a live task stands for it. */
        MISSING,
        /** More than one row stands for it. */
        DOUBLE,
        /** There is a row that no schedule asked for. */
        NOT_ASKED_FOR,
        /** One row stands for several fire times, but the schedule asks for {@code count}. */
        MISCOUNTED,
        /** A row names a next fire time for which there is no row. */
        BROKEN_LINK,
        /** The row from which the next occurrence would be made is missing: from {@code first} on nothing will fire. */
        NO_CURSOR,
        /** A row lies beyond the cursor, which would make it again. */
        BEYOND_CURSOR,
        /** Something did not run, and the row does not say why. */
        WITHOUT_REASON
    }
}
