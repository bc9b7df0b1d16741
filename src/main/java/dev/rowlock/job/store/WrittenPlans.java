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
import dev.rowlock.task.rule.ReschedulingPlan.ChainLink;
import dev.rowlock.task.rule.ReschedulingPlan.CursorMove;
import dev.rowlock.task.rule.ReschedulingPlan.PlannedEnd;
import dev.rowlock.task.rule.ReschedulingPlan.Unmade;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.NewTasks;
import dev.rowlock.task.store.NewTasks.NewTask;
import dev.rowlock.task.store.TaskRows;
import dev.rowlock.task.store.TaskRows.MovedCursor;
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
    record RescheduledJob(StoredJob job, ReschedulingPlan plan) {

        int nextVersion() {
            return job.version() + 1;
        }
    }

    void write(List<RescheduledJob> plans) {
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

    private NotRun notRun(PlannedEnd end) {
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
    private void leaveCursors(List<RescheduledJob> plans) {
        List<Long> ids = new ArrayList<>();
        for (RescheduledJob each : plans) {
            ReschedulingPlan plan = each.plan();
            if (plan.cursor().leaves() != null) {
                ids.add(plan.cursor().leaves().id());
            }
            ids.addAll(plan.deletes());
            plan.ends().stream().map(PlannedEnd::task).filter(Task::cursor).forEach(task -> ids.add(task.id()));
        }
        Cursors.toTasks(handle, ids);
    }

    private void link(List<RescheduledJob> plans) {
        List<TaskRows.At> live = new ArrayList<>();
        for (RescheduledJob each : plans) {
            for (ChainLink link : each.plan().links()) {
                if (link.history()) {
                    new HistoryAhead(handle, each.job().id(), each.job().key(), now).link(link.id(), link.next());
                } else {
                    live.add(new TaskRows.At(link.id(), link.next()));
                }
            }
        }
        TaskRows.link(handle, live);
    }

    private void endUnmade(RescheduledJob each) {
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

    private void moveCursors(List<RescheduledJob> plans) {
        List<MovedCursor> moved = new ArrayList<>();
        for (RescheduledJob each : plans) {
            CursorMove cursor = each.plan().cursor();
            if (cursor.to() != null && cursor.move() != null) {
                moved.add(new MovedCursor(
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
    private static Stream<NewTask> made(RescheduledJob each) {
        long job = each.job().id();
        JobDefinition definition = each.job().definition();
        Stream<NewTask> linked = each.plan().inserts().entrySet().stream()
                .map(row -> new NewTask(job, each.nextVersion(), definition, row.getKey(), row.getValue(), false));
        CursorMove cursor = each.plan().cursor();
        return cursor.to() == null || cursor.move() != null
                ? linked
                : Stream.concat(linked, Stream.of(NewTask.cursor(job, each.nextVersion(), definition, cursor.to())));
    }
}
