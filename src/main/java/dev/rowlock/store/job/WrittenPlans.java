package dev.rowlock.store.job;

import dev.rowlock.job.Cause;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.ReschedulingPlan;
import dev.rowlock.policy.ReschedulingPlan.Cursor;
import dev.rowlock.policy.ReschedulingPlan.Link;
import dev.rowlock.policy.ReschedulingPlan.Unmade;
import dev.rowlock.policy.Selector;
import dev.rowlock.store.history.HistoryAhead;
import dev.rowlock.store.history.TaskHistory.NotRun;
import dev.rowlock.store.task.JobAtVersion;
import dev.rowlock.store.task.JobTasks;
import dev.rowlock.store.task.TaskRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Writes what becomes of the occurrences of some jobs, under their shard rows. Each thing is done of all jobs before
 * the next one, in the order that {@link ReschedulingPlan} asks for; what few plans have is done one by one.
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

        Selector nodes() {
            return Selector.parse(job.definition().nodes());
        }
    }

    void write(List<Planned> plans) {
        unflag(plans);
        link(plans);
        TaskRows.delete(
                handle,
                plans.stream().flatMap(each -> each.plan().deletes().stream()).toList());
        TaskRows.end(
                handle,
                plans.stream()
                        .flatMap(each -> each.plan().ends().stream())
                        .map(end -> new NotRun(
                                end.task().id(),
                                end.outcome(),
                                end.reason(),
                                now,
                                end.span().count(),
                                end.span().last(),
                                null))
                        .toList());
        plans.forEach(this::insert);
        placeCursors(plans);
    }

    private void unflag(List<Planned> plans) {
        List<Long> ids = new ArrayList<>();
        for (Planned each : plans) {
            if (each.plan().cursor().unflag() != null) {
                ids.add(each.plan().cursor().unflag().id());
            }
        }
        TaskRows.unflag(handle, ids);
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

    private void insert(Planned each) {
        JobTasks tasks = new JobTasks(handle, each.job().id(), each.nodes(), now);
        for (Unmade unmade : each.plan().unmade()) {
            int asker = unmade.asBefore() ? each.job().version() : each.nextVersion();
            long id = tasks.insert(asker, unmade.span().first(), "", Cause.SCHEDULE, false);
            tasks.link(id, unmade.next());
            tasks.end(
                    id,
                    unmade.outcome(),
                    unmade.reason(),
                    unmade.span().count(),
                    unmade.span().last());
        }
        tasks.insert(each.nextVersion(), each.plan().inserts());
    }

    private void placeCursors(List<Planned> plans) {
        List<TaskRows.At> moved = new ArrayList<>();
        List<TaskRows.Cursor> made = new ArrayList<>();
        for (Planned each : plans) {
            Cursor cursor = each.plan().cursor();
            if (cursor.to() != null && cursor.move() != null) {
                moved.add(new TaskRows.At(cursor.move().id(), cursor.to()));
            } else if (cursor.to() != null) {
                made.add(new TaskRows.Cursor(
                        new JobAtVersion(each.job().id(), each.nextVersion()), cursor.to(), each.nodes()));
            }
        }
        TaskRows.move(handle, moved);
        TaskRows.insert(handle, made);
    }
}
