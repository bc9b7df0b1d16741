package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.policy.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Searches behind what one scan finds of a long backlog. Each reads much, so callers limit their share of the time. */
public final class BacklogSearch {

    /** Reads all that is due: only for a backlog that one scan does not see to its end. */
    private static final String PRIORITIZED = """
            select t.id, t.job_id, t.stripe, t.fire_time, t.due_at, t.jitter_ms,
                   (t.queued_at is not null or t.origin <> '') as queued, t.cause, t.priority, t.selector,
                   t.cursor_of, j.version
              from task t force index (due) straight_join job j on j.id = t.job_id
             where t.state = 'IDLE' and t.due_at <= utc_timestamp(6) and t.priority > :above and %s%s
             order by t.priority desc, t.due_at limit :batch
            """;
    /**
     * What runs again, and further attempts, have met their deadlines. No deadline is shorter than a second. So many
     * rows are looked at, whatever is found among them.
     */
    private static final String WITH_DEADLINE = """
            select t.*, t.queued_at is not null or t.origin <> '' as queued, j.version,
                   coalesce(json_type(json_extract(j.definition, '$.startDeadline')) = 'STRING'%s, false)
                     as has_deadline
              from (select t.id, t.job_id, t.stripe, t.fire_time, t.due_at, t.jitter_ms, t.queued_at, t.origin, t.cause,
                           t.priority, t.selector, t.cursor_of
                      from task t force index (due)
                     where t.state = 'IDLE' and t.due_at <= utc_timestamp(6)
                       and t.fire_time <= utc_timestamp(6) - interval 1 second and t.cause not in ('RETRY', 'RECOVERY')
                       and t.origin not like 'run:again-%%' and t.origin not like 'node:%%#-%%' and %s%s
                     order by %s limit :most) t
              left join job j on j.id = t.job_id
            """;

    private final Database database;

    BacklogSearch(Database database) {
        this.database = database;
    }

    /**
     * What is due and goes before others that are, the highest priority first.
     *
     * @param above the lowest priority of those others
     */
    public List<Candidate> prioritized(int above, LeftOut leftOut, Placement placement, int batch) {
        return database.autoCommit("looking for due tasks with priority", handle -> {
            String conditions = leftOut.conditions("j.version") + Selected.idle(placement);
            return query(handle, PRIORITIZED.formatted(Needs.MET, conditions), "above", above, "batch", batch)
                    .map((row, context) -> Acquire.candidate(row))
                    .list();
        });
    }

    /** What is due, of the next so many rows, and belongs to jobs with a {@code startDeadline}. */
    public Acquire.Found withDeadline(DuePosition from, LeftOut leftOut, Placement placement, int most) {
        return database.autoCommit("looking for due tasks with a deadline", handle -> {
            String sql = WITH_DEADLINE.formatted(
                    leftOut.conditions("j.version"),
                    Needs.MET,
                    from.behind() + Selected.idle(placement),
                    DuePosition.ORDER_BY);
            List<Candidate> found = new ArrayList<>();
            List<DuePosition> seen = query(handle, sql, "most", most)
                    .map((row, context) -> {
                        Candidate task = Acquire.candidate(row);
                        if (row.getBoolean("has_deadline")) {
                            found.add(task);
                        }
                        return DuePosition.of(task);
                    })
                    .list();
            return new Acquire.Found(
                    found, seen.size() < most ? null : Collections.max(seen, DuePosition.IN_TURN), null);
        });
    }
}
