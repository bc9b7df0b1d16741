package dev.rowlock.report.verify;

import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.calendar.CalendarSource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Definition or pause of a job with its validity, as it is stored.
 *
 * @param definition of its schedule; its command and the like are not its own
 * @param until null: in force
 * @param runs how many runs counted for {@code maxRuns} when it came into force; null: none, or nobody knows
 * @param calendars where those that it names are found
 */
public record JobVersion(
        long jobId,
        int version,
        JobKey key,
        String definition,
        boolean paused,
        Instant from,
        @Nullable Instant until,
        @Nullable Integer runs,
        CalendarSource calendars) {}
