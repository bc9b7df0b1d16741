package dev.rowlock.report.verify;

import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of checking the fire times of one job.
 *
 * @param since from when on they were checked
 * @param recorded fire times in history
 * @param live fire times with a live task
 * @param overtaken fire times that an edit or the deletion cancelled before they came; outside of the sum
 * @param discrepancies the first of them
 * @param unlisted how many more there are
 * @param unreadable why nothing can be said: a stored definition makes no sense; null: it does
 */
public record AccountingResult(
        long jobId,
        JobKey key,
        boolean deleted,
        Instant since,
        long recorded,
        long live,
        long overtaken,
        List<Discrepancy> discrepancies,
        long unlisted,
        @Nullable String unreadable) {

    public boolean addsUp() {
        return discrepancies.isEmpty() && unreadable == null;
    }
}
