package dev.rowlock.task.transition;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Ending;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.TaskHistory;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Rescheduling;
import dev.rowlock.task.rule.Selector;
import dev.rowlock.task.store.GroupSlots;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.RunCounts;
import dev.rowlock.task.store.SelectorStore;
import dev.rowlock.task.store.TaskColumns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Transition back to idle: of tasks that we prepared and will not fire, and of those that the table says are ours but
 * were never started.
 */
public final class Release {

    private static final String TO_IDLE = """
            update json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     state varchar(9) character set ascii path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
              left join job j on j.id = t.job_id
               set t.state = 'IDLE', t.launch_id = null, t.session_id = null, t.prepared_at = null, t.started_at = null,
                   t.replaced_by = null, t.taken_from = null, t.taken_node = null,
                   %s
             where t.launch_id = v.launch and t.state = v.state
            """.formatted(PauseSql.orDue("greatest(t.due_at, utc_timestamp(3))"));
    /**
     * Tasks of deleted jobs. They end when their job was deleted, at the earliest: the clock may have been set back
     * since.
     */
    private static final String OF_DELETED_JOBS = """
            select %s,
                   greatest(utc_timestamp(3),
                            coalesce((select max(v.valid_until) from job_version v where v.job_id = t.job_id),
                                     utc_timestamp(3))) as ended_at
              from json_table(:rows, '$[*]' columns (id bigint path '$[0]')) v
              straight_join task t force index (primary) on t.id = v.id
              left join job j on j.id = t.job_id
             where t.state = 'IDLE' and t.launch_id is null and j.id is null
            """.formatted(TaskColumns.OF_TASK);

    private static final String HELD = """
            select %s from task t where t.session_id = :session
            """.formatted(TaskColumns.OF_TASK);

    private static final String PREPARED = """
            select %s from task t where t.session_id = :session and t.state = 'PREPARED'
            """.formatted(TaskColumns.OF_TASK);

    private static final int BATCH = 500;

    private final Database database;

    public Release(Database database) {
        this.database = database;
    }

    /** Returns everything that this session holds by the table. */
    public List<Task> held(String session) {
        return database.autoCommit(
                "reading what is held",
                handle -> query(handle, HELD, "session", session)
                        .map((row, context) -> TaskColumns.read(row))
                        .list());
    }

    /** Gives back what this session has prepared and its node, as it is from now on, may not run. */
    public void giveBackMisplaced(String session, CandidateNode node) {
        Map<Integer, List<Task>> prepared = new HashMap<>();
        Map<Integer, Selector> selectors = database.autoCommit("reading what is prepared", handle -> {
            query(handle, PREPARED, "session", session)
                    .map((row, context) -> TaskColumns.read(row))
                    .forEach(task -> prepared.computeIfAbsent(task.selector(), id -> new ArrayList<>())
                            .add(task));
            return prepared.isEmpty() ? Map.of() : SelectorStore.read(handle, prepared.keySet());
        });
        prepared.forEach((id, tasks) -> {
            if (!node.takes(selectors.getOrDefault(id, Selector.ANY))) {
                giveBack(tasks);
            }
        });
    }

    /**
     * Gives back the tasks that still carry these launch ids and were not started, batch by batch. What is overdue is
     * due at once.
     */
    public void giveBack(Collection<Task> tasks) {
        List<Task> all = List.copyOf(tasks);
        for (int from = 0; from < all.size(); from += BATCH) {
            giveBackBatch(all.subList(from, Math.min(all.size(), from + BATCH)));
        }
    }

    private void giveBackBatch(List<Task> tasks) {
        database.transact("giving back " + tasks.size() + " tasks", handle -> {
            Locks.stripes(handle, tasks.stream().map(Task::stripe).collect(Collectors.toSet()));
            toIdle(
                    handle,
                    tasks.stream()
                            .collect(Collectors.toMap(
                                    Task::id, task -> task.ref().held())),
                    tasks.stream().filter(Task::isExecuting).map(Task::id).collect(Collectors.toSet()));
            return tasks.size();
        });
    }

    /** Gives back these tasks, some of them executing by the table: they were no runs, and lose their slots. */
    public static void toIdle(Handle handle, Map<Long, LaunchId> held, Set<Long> executing) {
        Map<Long, LaunchId> counted = new HashMap<>(held);
        counted.keySet().retainAll(executing);
        Set<Long> uncounted = counted.isEmpty() ? Set.of() : RunCounts.takeBack(handle, counted);
        reset(handle, held, executing);
        RunCounts.goOn(handle, uncounted);
        GroupSlots.free(handle, counted.keySet());
        ChangedMeanwhile.stamp(handle, counted.keySet());
    }

    /**
     * Gives back those of these tasks that are still prepared under that launch id. Tasks of jobs deleted meanwhile are
     * cancelled.
     */
    public static void toIdle(Handle handle, Map<Long, LaunchId> held) {
        reset(handle, held, Set.of());
    }

    /**
     * Resets the rows. Where several servers take writes, what was read may have been started since, despite the stripe
     * row.
     */
    private static void reset(Handle handle, Map<Long, LaunchId> held, Set<Long> executing) {
        if (held.isEmpty()) {
            return;
        }
        String rows = JsonRows.of(
                held.entrySet(),
                e -> row(e.getKey(), e.getValue().text(), executing.contains(e.getKey()) ? "EXECUTING" : "PREPARED"));
        update(handle, TO_IDLE, "rows", rows);
        List<Ending> orphans = query(handle, OF_DELETED_JOBS, "rows", rows)
                .map((row, context) -> Ending.cancelled(
                        TaskColumns.read(row).ref(), SqlTime.read(row, "ended_at"), Rescheduling.DELETED))
                .list();
        TaskHistory.record(handle, orphans, "");
    }
}
