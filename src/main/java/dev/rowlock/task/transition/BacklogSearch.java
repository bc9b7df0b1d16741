package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.task.Task;
import dev.rowlock.task.history.OriginSql;
import dev.rowlock.task.store.Cursors;
import dev.rowlock.task.store.FeatureLevel;
import dev.rowlock.task.store.TaskColumns;
import dev.rowlock.task.transition.Acquire.AcquirableTasks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Searches behind what one scan finds of a long backlog. Each reads much, so callers limit their share of the time. */
public final class BacklogSearch {

    /** Query that reads all that is due: only for a backlog whose end one scan does not see. */
    private static final String PRIORITIZED = """
            (select %3$s
             where %4$s and t.due_at <= utc_timestamp(6) and t.priority > :above and %1$s%2$s
             order by t.priority desc, t.due_at limit :batch)
            """;
    /**
     * Query for jobs with a deadline. Reruns and further attempts have met theirs already. No deadline is shorter than
     * a second. It looks at {@code most} rows, whatever is found among them.
     */
    private static final String WITH_DEADLINE = """
            select t.*,
                   coalesce(json_type(json_extract(j.definition, '$.startDeadline')) = 'STRING'%1$s, false)
                     as has_deadline
              from (%2$s union all %3$s order by due_ms, stripe, id limit :most) t
              left join job j on j.id = t.job_id
            """;

    private static final String BEFORE_DEADLINE = """
            (select %1$s
              where %2$s and t.due_at <= utc_timestamp(6) and t.fire_time <= utc_timestamp(6) - interval 1 second
                and %3$s%4$s
              order by %5$s limit :most)
            """;
    private static final String MEETS_ONE = """
            %s and t.cause not in ('RETRY', 'RECOVERY') and not %s\
            """.formatted(Acquire.IDLE, OriginSql.isOfThePast("t"));

    private final Database database;

    BacklogSearch(Database database) {
        this.database = database;
    }

    /**
     * Returns due tasks of higher priority than others that are due, the highest first.
     *
     * @param above the lowest priority of those others
     */
    public List<Task> prioritized(int above, ScanFilter filter, int batch) {
        return database.autoCommit("looking for due tasks with priority", handle -> {
            String tasks =
                    PRIORITIZED.formatted(FeatureLevel.MET, filter.idle("j.version"), Acquire.TASKS, Acquire.IDLE);
            String cursors =
                    PRIORITIZED.formatted(FeatureLevel.MET, filter.idle("t.job_version"), Acquire.CURSORS, "true");
            String sql =
                    tasks + " union all " + Cursors.condition(cursors) + " order by priority desc, due_ms limit :batch";
            return query(handle, sql, "above", above, "batch", batch)
                    .map((row, context) -> TaskColumns.read(row))
                    .list();
        });
    }

    /** Returns the due tasks of jobs with a {@code startDeadline} among the next {@code most} rows. */
    public AcquirableTasks withDeadline(DuePosition from, ScanFilter filter, int most) {
        return database.autoCommit("looking for due tasks with a deadline", handle -> {
            String further = from.behind() + filter.placed();
            String tasks = BEFORE_DEADLINE.formatted(
                    Acquire.TASKS, MEETS_ONE, FeatureLevel.MET, further, DuePosition.ORDER_BY);
            String cursors =
                    BEFORE_DEADLINE.formatted(Acquire.CURSORS, "true", FeatureLevel.MET, further, DuePosition.ORDER_BY);
            String sql = WITH_DEADLINE.formatted(filter.failed("t.version"), tasks, Cursors.condition(cursors));
            List<Task> found = new ArrayList<>();
            List<DuePosition> seen = query(handle, sql, "most", most)
                    .map((row, context) -> {
                        Task task = TaskColumns.read(row);
                        if (row.getBoolean("has_deadline")) {
                            found.add(task);
                        }
                        return DuePosition.of(task);
                    })
                    .list();
            return new AcquirableTasks(
                    found, seen.size() < most ? null : Collections.max(seen, DuePosition.IN_TURN), null);
        });
    }
}
