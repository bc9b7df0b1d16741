package dev.rowlock.task.transition;

import dev.rowlock.db.Database;
import dev.rowlock.db.Locks;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import dev.rowlock.task.FollowUp;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.rule.WakeDecision.FreedResource;
import dev.rowlock.task.store.GroupSlots;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.Stopping;
import dev.rowlock.task.store.Waiters;
import dev.rowlock.task.store.Waits;
import dev.rowlock.task.transition.Recoveries.RecoveryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Transition executing → history, and its consequences. */
public final class Finish {

    private static final String RECORDED = """
            select id, outcome, launch_id from task_history where id in (<ids>)
            """;

    private static final String REFUSED = """
            update task set hold = 'ERROR', hold_reason = :error
             where id = :id and launch_id = :launch and state = 'EXECUTING'
            """;

    private final Database database;
    private final Recoveries recoveries;
    private final String node;

    /**
     * Creates it for a node.
     *
     * @param maxLost how often one occurrence is run again after it was lost
     * @param backoff the delay before the second such run; it doubles with each further one. The first is not delayed.
     */
    public Finish(Database database, String node, int maxLost, Duration backoff) {
        this.database = database;
        this.node = node;
        this.recoveries = new Recoveries(maxLost, backoff);
    }

    /**
     * Records these endings, in one transaction; may be repeated.
     *
     * @return the endings that came too late: their tasks were lost, recorded under another launch id, or given back
     */
    public List<TooLate> finish(Collection<Ending> endings) {
        return finish(endings, null).tooLate();
    }

    /**
     * Records these endings, and prepares what may start next for {@code taker}, in the same transaction. What it
     * cannot run is due for whoever can.
     *
     * @param taker null: there is none
     */
    public FinishResult finish(Collection<Ending> endings, @Nullable Taker taker) {
        List<TaskRef> waiting = taker == null ? List.of() : GroupWaits.after(database, taker.groups());
        return database.transact("recording " + endings.size() + " results", handle -> {
            Locks.stripes(
                    handle,
                    Stream.concat(
                                    endings.stream().map(ending -> ending.task().stripe()),
                                    waiting.stream().map(TaskRef::stripe))
                            .collect(Collectors.toSet()));
            WrittenRows written = write(handle, endings, node);
            List<Long> ofJobs = Waiters.next(handle, written.jobs, FreedResource.RUN);
            List<Long> ofGroups = waiting.stream().map(TaskRef::id).toList();
            Set<Long> next = new LinkedHashSet<>(ofJobs);
            next.addAll(ofGroups);
            List<Task> handed = taker == null ? List.of() : DirectHandoff.to(taker, handle, next);
            Set<Long> ids = handed.stream().map(Task::id).collect(Collectors.toSet());
            next.removeAll(ids);
            Waiters.wakeThese(handle, ofJobs.stream().filter(next::contains).toList());
            Waits.woken(handle, ofGroups.stream().filter(ids::contains).toList());
            List<TooLate> late = written.rows == endings.size() ? List.of() : tooLate(handle, endings);
            if (!late.isEmpty()) {
                Locks.prove(handle, endings.iterator().next().task().stripe());
            }
            return new FinishResult(late, handed, !next.isEmpty() || written.makes || hasFreed(endings, taker));
        });
    }

    /** Returns whether others that were not looked for may wait for one of these. */
    private static boolean hasFreed(Collection<Ending> endings, @Nullable Taker taker) {
        if (taker == null) {
            return endings.stream().anyMatch(ending -> ending.followUp() != null);
        }
        int slots = taker.groups().values().stream().mapToInt(Integer::intValue).sum();
        return endings.stream()
                        .filter(ending ->
                                ending.followUp() != null && ending.followUp().grouped())
                        .count()
                > slots;
    }

    /**
     * Result of recording endings.
     *
     * @param tooLate endings whose task was lost, recorded under another launch id, or given back
     * @param handed prepared for the taker
     * @param frees whether there may be more to acquire or wake than that
     */
    public record FinishResult(List<TooLate> tooLate, List<Task> handed, boolean frees) {}

    /**
     * Rows written for endings.
     *
     * @param rows of history
     * @param jobs whose tasks may wait for the ends
     * @param makes whether further tasks have come of it
     */
    private record WrittenRows(int rows, Set<Long> jobs, boolean makes) {}

    /** Notes on the row of a task why its result cannot be recorded. */
    public void refused(Ending ending, String why) {
        database.transact("noting on task " + ending.taskId() + " that its result is refused", handle -> {
            Locks.stripes(handle, List.of(ending.task().stripe()));
            return handle.createUpdate(REFUSED)
                    .bind("error", HoldStore.error("the result cannot be recorded: " + why))
                    .bind("id", ending.taskId())
                    .bind("launch", ending.task().launchText())
                    .execute();
        });
    }

    /**
     * Result that changes nothing.
     *
     * @param found the outcome that history has for its task; empty if it has none
     */
    public record TooLate(LaunchId launch, String found) {}

    private record RecordedEnding(String outcome, String launch) {

        static final RecordedEnding NOTHING = new RecordedEnding("", "");

        /**
         * Returns whether another ending is recorded. A loss may be under the same launch id: it was written when the
         * session ended.
         */
        boolean isNotOf(Ending ending) {
            return !launch.equals(ending.task().launchText())
                    || (outcome.equals(Outcome.LOST.name()) && ending.outcome() != Outcome.LOST);
        }
    }

    /**
     * Records these endings within a transaction that holds the lock rows.
     *
     * @param executedBy name for history if the session's row is gone; null: unknown
     * @return how many were recorded
     */
    int recordIn(Handle handle, Collection<Ending> endings, @Nullable String executedBy) {
        WrittenRows written = write(handle, endings, executedBy);
        Waiters.wake(handle, written.jobs, FreedResource.RUN);
        return written.rows;
    }

    private WrittenRows write(Handle handle, Collection<Ending> endings, @Nullable String executedBy) {
        int written = TaskHistory.write(handle, endings, executedBy);
        RecoveryResult lost = recoveries.insert(handle, endings);
        Set<Long> tried = Retries.insert(handle, endings);
        Set<Long> again = new HashSet<>(tried);
        onlyLost(endings).forEach(ending -> again.add(ending.taskId()));
        ChangedMeanwhile.stamp(handle, again);
        List<Stopping.Failed> failed = failed(handle, endings, lost.stopping(), tried);
        TaskHistory.remove(handle, endings, written);
        Stopping.after(handle, failed);
        Set<Long> jobs = new HashSet<>(lost.jobs());
        GroupSlots.free(
                handle,
                endings.stream().filter(Finish::mayHaveSlot).map(Ending::taskId).toList());
        for (Ending ending : endings) {
            @Nullable FollowUp followUp = ending.followUp();
            if (followUp != null && followUp.wakes()) {
                jobs.add(ending.task().jobId());
            }
        }
        return new WrittenRows(
                written,
                jobs,
                !tried.isEmpty() || !failed.isEmpty() || !lost.jobs().isEmpty());
    }

    /** Returns the parts of broadcasts that failed for good, and stop others. */
    private static List<Stopping.Failed> failed(
            Handle handle, Collection<Ending> endings, Set<Long> lost, Set<Long> tried) {
        List<Ending> failed = new ArrayList<>();
        for (Ending ending : endings) {
            @Nullable FollowUp followUp = ending.followUp();
            boolean stops = followUp != null && followUp.stops() && !tried.contains(ending.taskId());
            if (stops || lost.contains(ending.taskId())) {
                failed.add(ending);
            }
        }
        return Stopping.failed(handle, failed);
    }

    private static boolean mayHaveSlot(Ending ending) {
        @Nullable FollowUp followUp = ending.followUp();
        return ending.outcome() == Outcome.LOST || (followUp != null && followUp.grouped());
    }

    private static List<TooLate> tooLate(Handle handle, Collection<Ending> endings) {
        Map<Long, RecordedEnding> found = new HashMap<>();
        handle.createQuery(RECORDED)
                .bindList("ids", endings.stream().map(Ending::taskId).toList())
                .map((row, context) -> found.put(
                        row.getLong("id"),
                        new RecordedEnding(row.getString("outcome"), String.valueOf(row.getString("launch_id")))))
                .list();
        List<TooLate> late = new ArrayList<>();
        for (Ending ending : endings) {
            RecordedEnding recorded = found.getOrDefault(ending.taskId(), RecordedEnding.NOTHING);
            if (ending.launch() != null && recorded.isNotOf(ending)) {
                late.add(new TooLate(ending.launch(), recorded.outcome()));
            }
        }
        return late;
    }

    static List<Ending> onlyLost(Collection<Ending> endings) {
        return endings.stream().filter(e -> e.outcome() == Outcome.LOST).toList();
    }
}
