package dev.rowlock.task.query;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.freeze.store.ReasonsByNow;
import dev.rowlock.task.Hold;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskPage;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.Total;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Queries of tasks for people: cursors first, then live tasks, then history, so that one that goes on in between is
 * seen twice rather than not at all.
 */
public final class TaskQueries {

    private static final String KNOWN = """
            select exists (select 1 from job where namespace = :namespace and name = :name)
                or exists (select 1 from job_version where namespace = :namespace and name = :name)
                or exists (select 1 from task_history where namespace = :namespace and job = :name)
            """;

    private static final String ANYWHERE = TaskSelect.LIVE + " where t.id in (<ids>) union all " + TaskSelect.CURSORS
            + " where t.task_id in (<ids>) union all " + TaskSelect.ENDED + " where t.id in (<ids>)";

    public static final Comparator<TaskView> NEWEST_FIRST =
            Comparator.comparing(TaskView::fireTime).thenComparing(TaskView::id).reversed();

    private final Database database;

    public TaskQueries(Database database) {
        this.database = database;
    }

    public Optional<TaskView> find(long id) {
        return database.autoCommit("reading task " + id, handle -> find(handle, id));
    }

    /** Returns the fire time that waits in a backfill, or for a freeze, and whose task will have this id. */
    public Optional<TaskView> findTurn(long id) {
        return database.autoCommit(
                "looking for task " + id + " among backfills",
                handle -> one(handle, TaskSelect.TURN_BY_ID, "b.ended_at is null and t.task_id", id)
                        .map(turn -> FreezeStore.covering(handle, turn.job())
                                .map(freezes ->
                                        turn.heldBy(Hold.FREEZE, freezes.last().said()))
                                .orElse(turn)));
    }

    /** Returns these tasks, live or ended, in no order. */
    public List<TaskView> find(Collection<Long> ids) {
        return database.autoCommit("reading tasks", handle -> find(handle, ids));
    }

    /** Returns at most {@code limit} tasks, newest fire time first, however long it takes to find them. */
    public List<TaskView> page(TaskFilter filter) {
        return database.autoCommit("listing tasks", handle -> new TaskSearch(handle, filter).all());
    }

    /**
     * Returns at most {@code limit} tasks, newest fire time first, as far as a search gets within some ten
     * milliseconds.
     */
    public TaskPage search(TaskFilter filter) {
        return database.autoCommit("looking for tasks", handle -> new TaskSearch(handle, filter).some());
    }

    /** Returns the number of tasks, if it is cheap to count. */
    public Optional<Total> total(TaskFilter filter) {
        return database.autoCommit("counting tasks", handle -> new TaskTotal(handle, filter).count());
    }

    /** Returns whether there is such a job, or something is left of one. */
    public boolean isKnown(JobKey key) {
        return database.autoCommit(
                "looking for traces of job " + key,
                handle -> query(handle, KNOWN, "namespace", key.namespace(), "name", key.name())
                        .mapTo(Boolean.class)
                        .one());
    }

    public static Optional<TaskView> find(Handle handle, long id) {
        Optional<TaskView> cursor = one(handle, TaskSelect.CURSORS, "t.task_id", id);
        return one(handle, TaskSelect.LIVE, "t.id", id)
                .or(() -> one(handle, TaskSelect.ENDED, "t.id", id))
                .or(() -> cursor);
    }

    /** Returns these tasks, live or ended, in no order. */
    public static List<TaskView> find(Handle handle, Collection<Long> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        List<TaskView> found = handle.createQuery(ANYWHERE)
                .bindList("ids", List.copyOf(ids))
                .map((row, context) -> TaskSelect.view(row))
                .list();
        return withReasons(handle, found);
    }

    private static Optional<TaskView> one(Handle handle, String select, String column, long id) {
        return query(handle, TaskSelect.whole(select) + " where " + column + " = :id", "id", id)
                .map((row, context) -> TaskSelect.view(row))
                .findOne()
                .map(found -> withReasons(handle, List.of(found)).get(0));
    }

    /** Returns tasks with the end of the freeze that holds them as it is now; no statement, if none is held so. */
    static List<TaskView> withReasons(Handle handle, List<TaskView> found) {
        ReasonsByNow reasons =
                ReasonsByNow.of(handle, found.stream().flatMap(task -> Stream.ofNullable(frozenBy(task))));
        return found.stream()
                .map(task -> {
                    @Nullable String reason = frozenBy(task);
                    return reason == null ? task : task.heldBy(Hold.FREEZE, reasons.now(reason));
                })
                .toList();
    }

    private static @Nullable String frozenBy(TaskView task) {
        return Hold.FREEZE.name().equals(task.hold()) ? task.holdReason() : null;
    }
}
