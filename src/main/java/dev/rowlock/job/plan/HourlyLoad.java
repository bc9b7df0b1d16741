package dev.rowlock.job.plan;

import dev.rowlock.job.plan.Plan.Hour;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.rule.MovedFireTimes.Window;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fire times per hour, before and after a change. Many are counted, not enumerated. */
final class HourlyLoad {

    private static final int MILLIS = 3_600_000;

    private final Window window;
    private final Instant first;
    private final long[] before;
    private final long[] after;

    HourlyLoad(Window window) {
        this.window = window;
        this.first = window.after().plusMillis(1).truncatedTo(ChronoUnit.HOURS);
        int hours = hourOf(window.until()) + 1;
        this.before = new long[hours];
        this.after = new long[hours];
    }

    /**
     * Adds a job.
     *
     * @param was null: it had no fire times that would run
     * @param is null: it has none
     */
    void add(@Nullable Schedule was, @Nullable Schedule is) {
        count(was, before);
        count(is, after);
    }

    List<Hour> hours() {
        List<Hour> hours = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
            hours.add(new Hour(first.plus(i, ChronoUnit.HOURS), before[i], after[i]));
        }
        return hours;
    }

    private void count(@Nullable Schedule schedule, long[] hours) {
        if (schedule == null) {
            return;
        }
        if (schedule.countBetween(window.after(), window.until()) <= hours.length) {
            walk(schedule, hours);
            return;
        }
        Instant from = window.after();
        for (int i = 0; i < hours.length; i++) {
            Instant end = first.plus(i + 1L, ChronoUnit.HOURS).minusMillis(1);
            Instant until = end.isBefore(window.until()) ? end : window.until();
            hours[i] += schedule.countBetween(from, until);
            from = until;
        }
    }

    private void walk(Schedule schedule, long[] hours) {
        Optional<Instant> next = schedule.nextAfter(window.after());
        while (next.isPresent() && !next.get().isAfter(window.until())) {
            hours[hourOf(next.get())]++;
            next = schedule.nextAfter(next.get());
        }
    }

    private int hourOf(Instant t) {
        return (int) ((t.toEpochMilli() - first.toEpochMilli()) / MILLIS);
    }
}
