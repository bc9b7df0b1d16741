package dev.rowlock.report.metrics;

import org.jspecify.annotations.Nullable;

/** Metrics of a node, served without the database and within a second. */
public interface MetricsPage {

    /** @param accept which form is wanted, as HTTP says it; null: whichever */
    MetricsText page(@Nullable String accept);

    /** Whole text of the metrics. */
    @SuppressWarnings("ArrayRecordComponent") // sent once, and never compared
    record MetricsText(String contentType, byte[] text) {}
}
