package dev.rowlock.engine.schedule;

import dev.rowlock.job.LaunchId;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.store.task.Acquisition;
import dev.rowlock.store.task.Acquisition.Further;
import dev.rowlock.store.task.Candidate;
import dev.rowlock.store.task.Misfires.Decision;
import dev.rowlock.store.task.Misfires.Overdue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Works out, before any lock is taken, what a job's schedule makes of its rows. No I/O, no clock. */
final class Planner {

    /** The most occurrences of one job that are prepared in one go. */
    static final int MOST_AT_ONCE = 100;

    private Planner() {}

    /** Prepares a task and, if it carries the cursor, its job's further occurrences up to {@code until}. */
    static Acquisition prepare(Candidate task, Schedule schedule, Instant until, Supplier<LaunchId> launches) {
        LaunchId launch = launches.get();
        if (!task.cursor()) {
            return new Acquisition(task, launch, List.of(), null);
        }
        List<Further> further = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(task.fireTime());
        while (next.isPresent() && !next.get().isAfter(until) && further.size() < MOST_AT_ONCE) {
            further.add(new Further(next.get(), launches.get()));
            next = schedule.nextAfter(next.get());
        }
        return new Acquisition(task, launch, further, next.orElse(null));
    }

    /**
     * One run for all overdue occurrences of a job, the latest; the others are missed together.
     *
     * @param rows the overdue occurrences that have a row, earliest first
     */
    static Decision runOnce(List<Overdue> rows, Schedule schedule, Instant now) {
        Overdue last = rows.get(rows.size() - 1);
        @Nullable
        Overdue cursor = rows.stream().filter(Overdue::cursor).findFirst().orElse(null);
        @Nullable Instant before = rows.size() > 1 ? rows.get(rows.size() - 2).fireTime() : null;
        long unmade = cursor == null ? 0 : schedule.countBetween(cursor.fireTime(), now);
        long missed = rows.size() + unmade - 1;
        if (cursor == null || unmade == 0) {
            return new Decision(rows, missed, before, last, null, false, reason(missed));
        }
        Instant latest = schedule.lastBetween(cursor.fireTime(), now).orElseThrow();
        Instant lastMissed =
                schedule.lastBetween(cursor.fireTime(), latest.minusMillis(1)).orElse(last.fireTime());
        return new Decision(rows, missed, lastMissed, null, latest, true, reason(missed));
    }

    private static String reason(long missed) {
        return missed == 1
                ? "no node was there to run it in time; the latest occurrence runs instead (misfire RUN_ONCE)"
                : "no node was there to run these occurrences in time; the latest occurrence runs instead (misfire RUN_ONCE)";
    }
}
