package dev.rowlock.control;

import org.jspecify.annotations.Nullable;

/** What a node tells of itself to those who watch many. It is told without the database, and within a second. */
public interface MetricsPage {

    /** @param accept which form is wanted, as HTTP says it; null: whichever */
    Page page(@Nullable String accept);

    /** The whole text. */
    @SuppressWarnings("ArrayRecordComponent") // sent once, and never compared
    record Page(String contentType, byte[] text) {}
}
