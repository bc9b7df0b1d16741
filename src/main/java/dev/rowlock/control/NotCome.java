package dev.rowlock.control;

import dev.rowlock.control.Elapsed.Span;
import dev.rowlock.job.Cause;
import dev.rowlock.job.DefinitionJson;
import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.Outcome;
import dev.rowlock.store.history.HistoryAhead;
import dev.rowlock.store.job.JobChange;
import dev.rowlock.store.task.JobTasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Fire times that were recorded as missed or skipped while the database's clock was ahead, and that have not come now that it is right. Their
 * rows stay, but no longer stand for fire times of the schedule, so that these can come after all. What ran is never touched.
 */
final class NotCome {

    /** What such rows have as origin from then on. */
    static final String ORIGIN = "clock";

    private static final String REASON = "had not come: the database's clock was ahead when this was recorded";

    private NotCome() {}

    /** A row of history that stands for fewer fire times from now on, up to {@code last}. */
    record Cut(long id, Instant last) {}

    /** Settles it within a change of the job; the rows that it answers need a new next fire time. */
    static List<Cut> settle(JobChange change) {
        JobTasks tasks = change.tasks();
        HistoryAhead ahead = change.ahead();
        ahead.takeOut(ORIGIN, REASON);
        List<Cut> cuts = new ArrayList<>();
        for (HistoryAhead.Row row : ahead.reaching()) {
            Elapsed elapsed = new Elapsed(JobSchedule.of(
                    DefinitionJson.read(row.definition(), false), change.job().createdAt()));
            Span past = elapsed.between(row.fireTime(), change.now());
            long rest = row.occurrences() - past.count();
            if (rest > 0) {
                Instant first = elapsed.after(past.last()).orElse(row.last());
                ahead.cut(row, past.count(), past.last());
                long id = tasks.insert(row.version(), first, ORIGIN, Cause.SCHEDULE, false);
                tasks.end(id, Outcome.CANCELLED, REASON, rest, row.last());
                cuts.add(new Cut(row.id(), past.last()));
            }
        }
        return cuts;
    }
}
