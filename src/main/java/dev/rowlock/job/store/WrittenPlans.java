package dev.rowlock.job.store;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Origin;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.HistoryAhead;
import dev.rowlock.task.history.TaskHistory.NotRun;
import dev.rowlock.task.rule.Jitter;
import dev.rowlock.task.rule.ReschedulingPlan;
import dev.rowlock.task.rule.ReschedulingPlan.Cursor;
import dev.rowlock.task.rule.ReschedulingPlan.Link;
import dev.rowlock.task.rule.ReschedulingPlan.Unmade;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.NewTasks;
import dev.rowlock.task.store.TaskRows;
import dev.rowlock.task.transition.JobTasks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Writer of plans for the occurrences of some jobs, under their stripe rows. Each step is done for all jobs before the
 * next one, in the order that {@link ReschedulingPlan} requires; rare steps are done one by one.
 */
final class WrittenPlans {

    private final Handle handle;
    private final Instant now;

    WrittenPlans(Handle handle, Instant now) {
        this.handle = handle;
        this.now = now;
    }

    /** @param job as it was until now */
    record Planned(StoredJob job, ReschedulingPlan plan) {

        int nextVersion() {
            return job.version() + 1;
        }
    }

    void write(List<Planned> plans) {
        leaveCursors(plans);
        link(plans);
        TaskRows.delete(
                handle,
                plans.stream().flatMap(each -> each.plan().deletes().stream()).toList());
        TaskRows.endWaiting(
                handle,
                plans.stream()
                        .flatMap(each -> each.plan().ends().stream())
                        .map(this::notRun)
                        .toList());
        plans.forEach(this::endUnmade);
        moveCursors(plans);
        NewTasks.insert(handle, plans.stream().flatMap(WrittenPlans::made).toList());
    }

    private NotRun notRun(ReschedulingPlan.End end) {
        NotRun row = new NotRun(
                end.task().id(),
                end.outcome(),
                end.reason(),
                now,
                end.span().count(),
                end.span().last(),
                null);
        return end.isWithdrawn(now) ? row.asWithdrawn() : row;
    }

    /** Turns cursors that end or move on into tasks, which are written like every other occurrence of the plan. */
    private void leaveCursors(List<Planned> plans) {
        List<Long> ids = new ArrayList<>();
        for (Planned each : plans) {
            ReschedulingPlan plan = each.plan();
            if (plan.cursor().leaves() != null) {
                ids.add(plan.cursor().leaves().id());
            }
            ids.addAll(plan.deletes());
            plan.ends().stream()
                    .map(ReschedulingPlan.End::task)
                    .filter(Task::cursor)
                    .forEach(task -> ids.add(task.id()));
        }
        Cursors.toTasks(handle, ids);
    }

    private void link(List<Planned> plans) {
        List<TaskRows.At> live = new ArrayList<>();
        for (Planned each : plans) {
            for (Link link : each.plan().links()) {
                if (link.history()) {
                    new HistoryAhead(handle, each.job().id(), each.job().key(), now).link(link.id(), link.next());
                } else {
                    live.add(new TaskRows.At(link.id(), link.next()));
                }
            }
        }
        TaskRows.link(handle, live);
    }

    private void endUnmade(Planned each) {
        JobTasks tasks = new JobTasks(handle, each.job().id(), each.job().definition(), now);
        for (Unmade unmade : each.plan().unmade()) {
            int asker = unmade.asBefore() ? each.job().version() : each.nextVersion();
            long id = tasks.insert(asker, unmade.span().first(), Origin.SCHEDULE, Cause.SCHEDULE);
            tasks.link(id, unmade.next());
            tasks.end(
                    id,
                    unmade.outcome(),
                    unmade.reason(),
                    unmade.span().count(),
                    unmade.span().last());
        }
    }

    private void moveCursors(List<Planned> plans) {
        List<TaskRows.Moved> moved = new ArrayList<>();
        for (Planned each : plans) {
            Cursor cursor = each.plan().cursor();
            if (cursor.to() != null && cursor.move() != null) {
                moved.add(new TaskRows.Moved(
                        cursor.move().id(),
                        cursor.to(),
                        Jitter.offset(each.job().definition())));
            }
        }
        Cursors.put(handle, moved);
    }

    /**
     * Returns the new tasks by the definition in force until now: {@link JobWrites#save} adapts them to another one.
     */
    private static Stream<NewTasks.Row> made(Planned each) {
        long job = each.job().id();
        JobDefinition definition = each.job().definition();
        Stream<NewTasks.Row> linked = each.plan().inserts().entrySet().stream()
                .map(row -> new NewTasks.Row(job, each.nextVersion(), definition, row.getKey(), row.getValue(), false));
        Cursor cursor = each.plan().cursor();
        return cursor.to() == null || cursor.move() != null
                ? linked
                : Stream.concat(
                        linked, Stream.of(NewTasks.Row.cursor(job, each.nextVersion(), definition, cursor.to())));
    }
}
