package dev.rowlock.task.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.access.Caller;
import dev.rowlock.access.OnBehalf;
import dev.rowlock.audit.AuditAction;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Outcome;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.http.Refused;
import dev.rowlock.http.Refused.Reason;
import dev.rowlock.job.store.JobChange;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.task.Cause;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.TaskPage;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.Total;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.rerun.RequestStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tasks, live and ended, to be searched and stopped. Thread-safe. */
public final class Tasks {

    /** Number of times that a task may change its state between being read and being stopped. */
    private static final int TRIES = 10;

    private static final int PAGE = 500;

    private static final Set<Cause> FURTHER = Set.of(Cause.RETRY, Cause.RECOVERY);

    /** Reason of a task that was never started. */
    public static final String CANCELLED = "stopped by request before it was started";

    private final TaskQueries queries;
    private final JobStore jobs;
    private final RequestStore requests;
    private final RunningCommands local;
    private final Runnable wake;
    private final OnBehalf asker;

    /** @param wake called after a change, so that the local engine acts at once */
    public Tasks(TaskQueries queries, JobStore jobs, RequestStore requests, RunningCommands local, Runnable wake) {
        this(queries, jobs, requests, local, wake, OnBehalf.OF_NOBODY);
    }

    private Tasks(
            TaskQueries queries,
            JobStore jobs,
            RequestStore requests,
            RunningCommands local,
            Runnable wake,
            OnBehalf asker) {
        this.queries = queries;
        this.jobs = jobs.by(asker.doing(AuditAction.KILL));
        this.requests = requests;
        this.local = local;
        this.wake = wake;
        this.asker = asker;
    }

    /** Returns a view for a caller: tasks of other namespaces are invisible, and stopping one is audited. */
    public Tasks by(Caller caller) {
        return new Tasks(queries, jobs, requests, local, wake, new OnBehalf(caller));
    }

    /** @throws Refused there is none, or it is of a namespace that the caller does not see */
    public TaskView get(long id) {
        return seen(queries.find(id)).or(() -> seen(queries.findTurn(id))).orElseThrow(() -> notFound(id));
    }

    private Optional<TaskView> seen(Optional<TaskView> found) {
        return found.filter(task -> asker.reaches(task.job().namespace()));
    }

    /**
     * Returns as many tasks as the filter's limit, newest first. A search for rare ones ends before it has looked at
     * everything, and says where.
     *
     * @throws dev.rowlock.access.Forbidden the filter names a namespace that the caller does not see
     */
    public TaskPage list(TaskFilter filter) {
        if (filter.namespace() != null) {
            asker.requireNamespace(filter.namespace());
        }
        boolean single = filter.namespace() != null || asker.within().isEmpty();
        TaskPage page = single ? queries.search(filter) : ofNamespaces(filter);
        if (filter.after() != null) {
            return page;
        }
        boolean isAll = page.reached() == null && page.tasks().size() < filter.limit();
        Total total = isAll
                ? new Total(page.tasks().size(), false)
                : single ? queries.total(filter).orElse(null) : null;
        return new TaskPage(page.tasks(), page.reached(), total);
    }

    /** Searches each namespace by its own index: together, all of their history would have to be sorted. */
    private TaskPage ofNamespaces(TaskFilter filter) {
        List<TaskPage> pages = asker.within().stream()
                .map(namespace -> queries.search(filter.of(namespace)))
                .toList();
        @Nullable
        TaskPosition floor = pages.stream()
                .flatMap(page -> Stream.ofNullable(page.reached()))
                .max(TaskPosition.OLDEST_FIRST)
                .orElse(null);
        List<TaskView> found = pages.stream()
                .flatMap(page -> page.tasks().stream())
                .filter(task -> floor == null || TaskPosition.OLDEST_FIRST.compare(task.position(), floor) >= 0)
                .sorted(TaskQueries.NEWEST_FIRST)
                .limit(filter.limit())
                .toList();
        return new TaskPage(found, found.size() < filter.limit() ? floor : null, null);
    }

    /** Returns whether the job exists, or something is kept of it. */
    public boolean isKnown(JobKey job) {
        return queries.isKnown(job);
    }

    /**
     * Stops a task and returns it as it was left. An executing one is asked to end; any other is cancelled at once, and
     * its job goes on with the next occurrence.
     *
     * @throws Refused if there is no such task, or it has ended
     */
    public TaskView kill(long id) {
        for (int tried = 0; tried < TRIES; tried++) {
            TaskView task = seen(queries.find(id)).orElseThrow(() -> noneToStop(id));
            if (task.isEnded()) {
                throw new Refused(Reason.CONFLICT, "task " + id + " has ended already: " + task.outcome());
            }
            if (ask(task)) {
                return task;
            }
            if (jobs.change(task.job(), "stopping a task of", change -> cancel(change, id))
                    .orElse(false)) {
                wake.run();
                return get(id);
            }
        }
        throw new Refused(Reason.BUSY, "task " + id + " changes its state all the time; try again");
    }

    private Refused noneToStop(long id) {
        return seen(queries.findTurn(id))
                .map(turn -> new Refused(
                        Reason.CONFLICT,
                        "task " + id + " cannot be stopped alone: " + turn.holdReason() + "; DELETE /backfills/"
                                + turn.origin().backfill() + " cancels all that waits there"))
                .orElseGet(() -> notFound(id));
    }

    /**
     * Stops all executing tasks of a job, on all nodes; waiting ones stay.
     *
     * @return the tasks that were asked to end, as they were
     * @throws Refused there is no such job, nor anything of it
     */
    public List<TaskView> killAll(JobKey job) {
        List<TaskView> killed = new ArrayList<>();
        @Nullable TaskFilter next = executing(job, null);
        while (next != null) {
            List<TaskView> page = queries.page(next);
            page.stream().filter(this::ask).forEach(killed::add);
            TaskView last = page.isEmpty() ? null : page.get(page.size() - 1);
            next = last == null || page.size() < PAGE
                    ? null
                    : executing(job, new TaskPosition(last.fireTime(), last.id()));
        }
        if (killed.isEmpty() && jobs.find(job).isEmpty()) {
            throw Refused.noSuchJob(job);
        }
        return killed;
    }

    /** Returns what of a job waits and is left by {@link #killAll}: further attempts, and what a policy holds. */
    public List<TaskView> waiting(JobKey job) {
        Map<Long, TaskView> waiting = new TreeMap<>();
        for (TaskState state : List.of(TaskState.IDLE, TaskState.PREPARED)) {
            for (Cause cause : FURTHER) {
                queries.page(waiting(job, state, cause)).forEach(task -> waiting.put(task.id(), task));
            }
            queries.page(waiting(job, state, null)).stream()
                    .filter(task -> task.queuedAt() != null)
                    .forEach(task -> waiting.put(task.id(), task));
        }
        return waiting.values().stream()
                .sorted(TaskQueries.NEWEST_FIRST.reversed())
                .toList();
    }

    /** @param cause null: any; of what a policy holds, the newest are named */
    private static TaskFilter waiting(JobKey job, TaskState state, @Nullable Cause cause) {
        return new TaskFilter(
                job.namespace(),
                job.name(),
                state.name(),
                null,
                null,
                null,
                null,
                null,
                PAGE,
                false,
                false,
                cause,
                null,
                List.of());
    }

    private static TaskFilter executing(JobKey job, @Nullable TaskPosition after) {
        return new TaskFilter(
                job.namespace(), job.name(), TaskState.EXECUTING.name(), null, null, null, null, after, PAGE);
    }

    /** Asks an executing task to end; returns false if it is not, or no longer, executing. */
    private boolean ask(TaskView task) {
        if (!task.isExecuting() || task.session() == null || task.launchId() == null) {
            return false;
        }
        LaunchId launch = new LaunchId(task.launchId());
        requests.kill(task.session(), launch, task, asker.doing(AuditAction.KILL));
        local.kill(launch);
        return true;
    }

    /** Cancels a task that has not started; returns false if it has, or is gone. */
    private static boolean cancel(JobChange change, long id) {
        Optional<Task> found = change.tasks().live().stream()
                .filter(t -> t.id() == id && t.state() != TaskState.EXECUTING)
                .findFirst();
        if (found.isEmpty()) {
            return false;
        }
        Task task = found.get();
        if (task.cursor()) {
            handOn(change, task);
        } else {
            change.tasks().end(id, Outcome.CANCELLED, CANCELLED);
            change.tasks().decideAgain(); // others may have waited for it
        }
        change.note(
                "task", JsonNodeFactory.instance.objectNode().put("task", id).put("outcome", Outcome.CANCELLED.name()));
        return true;
    }

    /** Moves the cursor on, as preparing its occurrence would. */
    private static void handOn(JobChange change, Task task) {
        StoredJob job = change.job();
        if (!job.stored().isUnderstood()) {
            throw Refused.notUnderstood(job);
        }
        Optional<Instant> next =
                JobSchedule.of(job.definition(), job.createdAt()).nextAfter(task.fireTime());
        change.tasks().leaveCursor(task);
        change.tasks().link(task.id(), next.orElse(null));
        change.tasks().end(task.id(), Outcome.CANCELLED, CANCELLED);
        next.ifPresent(fireTime -> change.tasks().insertCursor(job.version(), fireTime));
    }

    static Refused notFound(long id) {
        return new Refused(Reason.NOT_FOUND, "there is no task " + id);
    }
}
