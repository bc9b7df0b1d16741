package dev.rowlock.node.scheduler;

import dev.rowlock.node.scheduler.DefinitionCache.Entry;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.Span;
import dev.rowlock.task.rule.Terms;
import dev.rowlock.task.transition.Acquisition;
import dev.rowlock.task.transition.Acquisition.Further;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Plan of the rows that a job's schedule gives, made before any lock is taken. No I/O, no clock. */
final class Planner {

    static final int MOST_AT_ONCE = 100;

    private Planner() {}

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

    /**
     * Prepares a task of a job that may skip occurrences.
     *
     * @param passed occurrences that are skipped behind the task instead of being prepared with it
     */
    static Acquisition prepare(Task task, Entry job, Optional<Span> passed, Instant due, Supplier<LaunchId> launches) {
        return passed.map(span -> passOver(span, task, job, launches.get()))
                .orElseGet(() -> prepare(task, job.schedule(), job.terms(), due, launches));
    }

    private static Acquisition passOver(Span passed, Task task, Entry job, LaunchId launch) {
        Instant next = job.schedule().nextAfter(passed.last()).orElse(null);
        return new Acquisition(task, launch, List.of(), passed, next, job.terms());
    }
}
