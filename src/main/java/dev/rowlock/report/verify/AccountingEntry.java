package dev.rowlock.report.verify;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Account of one or several fire times: the first attempt at what the schedule asked for, live or in history.
 *
 * @param last the last fire time that it stands for; {@code fireTime} unless {@code occurrences} is more than 1
 * @param nextFireTime the chain: the fire time that was made with this one
 * @param state of a live task, else the outcome
 * @param explained whether a reason is given
 */
public record AccountingEntry(
        long id,
        long jobId,
        int version,
        Instant fireTime,
        Instant last,
        long occurrences,
        @Nullable Instant nextFireTime,
        String state,
        boolean live,
        boolean cursor,
        boolean explained) {

    public boolean isCancelled() {
        return !live && state.equals("CANCELLED");
    }
}
