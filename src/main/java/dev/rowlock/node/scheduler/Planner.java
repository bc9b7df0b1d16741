package dev.rowlock.node.scheduler;

import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.PassedOver;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.transition.Acquisition.Further;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Plan of the rows that a job's schedule gives, made before any lock is taken. No I/O, no clock. It remembers how late
 * jobs are: the node keeps up with one if a scan finds all that is due, or if the job is less late than when its last
 * occurrence had its turn.
 */
final class Planner {

    static final int MOST_AT_ONCE = 100;
    /** Bound on remembered jobs; beyond it, all are forgotten. */
    private static final int REMEMBERED = 200_000;

    private final Duration misfires;
    private final Map<Long, Duration> late = new HashMap<>();

    /** @param misfires how late an occurrence may start, unless its job says otherwise */
    Planner(Duration misfires) {
        this.misfires = misfires;
    }

    /**
     * Plans what is made of a task, and of those behind it: misfires are left to be settled, and those that would find
     * the task executing are passed over. Its lateness is noted for the next of its job.
     *
     * @param isMine whether this node may run it
     * @param now what is later than this has not come for certain
     * @param foundAll whether all that is due was found
     * @param until when what is prepared with it is due at the latest
     */
    Acquisition prepare(
            Task task,
            CachedDefinition job,
            boolean isMine,
            Instant now,
            boolean foundAll,
            Instant until,
            Supplier<LaunchId> launches) {
        Schedule schedule = job.schedule();
        Duration by = task.late(now);
        if (!task.cursor() || !PassedOver.isLate(by)) {
            late.remove(task.jobId());
            return prepare(task, schedule, job.terms(), until, launches);
        }
        boolean keepsUp = isLessLate(task.jobId(), by) || foundAll;
        Instant fireTimes = now.minus(job.terms().jitter());
        if (PassedOver.isBeforeMisfires(
                task.fireTime(), schedule, fireTimes, job.policy().threshold(misfires))) {
            return prepare(task, schedule, job.terms(), task.due(), launches);
        }
        Optional<Span> passed =
                isMine ? PassedOver.by(task.fireTime(), keepsUp, job.policy(), schedule, fireTimes) : Optional.empty();
        return passed.map(span -> passOver(span, task, job, launches.get()))
                .orElseGet(() -> prepare(task, schedule, job.terms(), until, launches));
    }

    private boolean isLessLate(long job, Duration by) {
        if (late.size() >= REMEMBERED) {
            late.clear();
        }
        Duration before = late.put(job, by);
        return before != null && by.compareTo(before) < 0;
    }

    private static Acquisition passOver(Span passed, Task task, CachedDefinition job, LaunchId launch) {
        Instant next = job.schedule().nextAfter(passed.last()).orElse(null);
        return new Acquisition(task, launch, List.of(), passed, next, job.terms());
    }

    /**
     * Prepares a task and, if the cursor stands there, those further occurrences of its job that are due by then.
     *
     * @param terms of the job
     */
    static Acquisition prepare(Task task, Schedule schedule, Terms terms, Instant due, Supplier<LaunchId> launches) {
        LaunchId launch = launches.get();
        if (!task.cursor()) {
            return new Acquisition(task, launch, List.of(), null, null, terms);
        }
        Instant until = due.minus(terms.jitter());
        List<Further> further = new ArrayList<>();
        Optional<Instant> next = schedule.nextAfter(task.fireTime());
        while (next.isPresent() && !next.get().isAfter(until) && further.size() < MOST_AT_ONCE) {
            further.add(new Further(next.get(), launches.get()));
            next = schedule.nextAfter(next.get());
        }
        return new Acquisition(task, launch, further, null, next.orElse(null), terms);
    }
}
