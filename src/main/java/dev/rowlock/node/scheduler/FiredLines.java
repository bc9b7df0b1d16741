package dev.rowlock.node.scheduler;

import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.ScheduleLines.ScheduleLine;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.job.store.Definitions;
import dev.rowlock.job.store.Definitions.DefinitionRow;
import dev.rowlock.job.store.Definitions.JobAtTime;
import dev.rowlock.node.scheduler.DefinitionCache.CachedDefinition;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.task.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * Lines of schedules whose fire times tasks have, whichever attempt they are: by the definition that runs, or if an
 * edit has left the time out, by the one that was in force then. Read before the transaction that starts the tasks.
 */
final class FiredLines {

    private final Definitions definitions;

    FiredLines(Definitions definitions) {
        this.definitions = definitions;
    }

    /** Returns the lines by the ids of tasks; those that were requested, or whose line is not known, have none. */
    Map<Long, ScheduleLine> of(List<Task> tasks, Function<Task, CachedDefinition> jobs) {
        Map<Long, ScheduleLine> lines = new HashMap<>();
        Map<Long, JobAtTime> leftOut = new HashMap<>();
        for (Task task : tasks) {
            if (task.origin().hasFireTime()) {
                CachedDefinition job = jobs.apply(task);
                line(job.schedule(), task, job.definition().schedule().lines())
                        .ifPresentOrElse(
                                line -> lines.put(task.id(), line),
                                () -> leftOut.put(task.id(), new JobAtTime(task.jobId(), task.fireTime())));
            }
        }
        if (!leftOut.isEmpty()) {
            Map<JobAtTime, DefinitionRow> then = definitions.then(Set.copyOf(leftOut.values()));
            tasks.forEach(task -> Optional.ofNullable(leftOut.get(task.id()))
                    .flatMap(at -> Optional.ofNullable(then.get(at)))
                    .flatMap(definition -> line(definition, task))
                    .ifPresent(line -> lines.put(task.id(), line)));
        }
        return lines;
    }

    private static Optional<ScheduleLine> line(DefinitionRow then, Task task) {
        StoredDefinition stored = StoredDefinition.read(then.key(), then.json(), false, then.calendars());
        Optional<JobSchedule> schedule = stored.schedule(then.createdAt());
        return schedule.flatMap(
                asked -> line(asked, task, stored.definition().schedule().lines()));
    }

    private static Optional<ScheduleLine> line(Schedule schedule, Task task, List<ScheduleLine> written) {
        OptionalInt line = schedule.lineAt(task.fireTime());
        return line.isPresent() ? Optional.of(written.get(line.getAsInt())) : Optional.empty();
    }
}
