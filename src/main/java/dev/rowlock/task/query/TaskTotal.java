package dev.rowlock.task.query;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.Total;
import dev.rowlock.task.history.Spans;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Count of tasks where entries of one index are enough, and of no more of them than prove that there are many. */
final class TaskTotal {

    /** Bound on rows that are read. */
    private static final int ROWS = 1_000;

    private static final int COUNTED = Total.MOST + 1;

    private final Handle handle;
    private final TaskFilter filter;

    TaskTotal(Handle handle, TaskFilter filter) {
        this.handle = handle;
        this.filter = filter;
    }

    /** Counts the tasks; empty: rows would have to be read. */
    Optional<Total> count() {
        boolean needsRows = filter.job() != null
                || filter.namespace() != null
                || filter.node() != null
                || filter.cause() != null
                || filter.minDuration() != null
                || !filter.labels().isEmpty();
        if (needsRows) {
            return Optional.empty();
        }
        if (filter.outcome() != null) {
            boolean none = filter.state() != null && !filter.state().equals("ENDED");
            return Optional.of(none ? Total.of(0) : ended());
        }
        if (filter.state() == null) {
            Total ended = ended();
            long all = live("primary") + cursors() + ended.count();
            return Optional.of(ended.more() ? new Total(Math.min(all, Total.MOST), true) : Total.of(all));
        }
        if (filter.state().equals("ENDED")) {
            return Optional.of(ended());
        }
        // The index does not know fire times.
        return filter.since() == null && filter.until() == null
                ? Optional.of(Total.of(live("due") + (filter.state().equals("IDLE") ? cursors() : 0)))
                : Optional.empty();
    }

    /**
     * Counts ended tasks. The index on fire times includes expanded and withdrawn ones, which are not counted: the
     * difference is a lower bound.
     */
    private Total ended() {
        Outcome outcome = filter.outcome();
        long entries = outcome == null ? entries("task_history t force index (by_fire_time)", new Conditions()) : 0;
        long expanded = outcome != null || filter.expanded() ? 0 : of(Outcome.EXPANDED);
        boolean mayBeWithdrawn = !filter.withdrawn() && (outcome == null || outcome == Outcome.CANCELLED);
        long cancelled = mayBeWithdrawn ? of(Outcome.CANCELLED) : 0;
        boolean isFew = cancelled <= ROWS;
        long withdrawn = cancelled == 0 ? 0 : isFew ? withdrawn() : cancelled;
        long found = (outcome == null ? entries - expanded : of(outcome)) - withdrawn;
        boolean more = entries == COUNTED || !isFew || reachesIn();
        Total counted = Total.of(Math.max(0, found));
        return new Total(counted.count(), counted.more() || more);
    }

    /** Counts withdrawn tasks by reading rows, as no index covers them. */
    private long withdrawn() {
        Conditions where = new Conditions();
        where.add("t.outcome = 'CANCELLED' and t.withdrawn");
        return entries("task_history t force index (by_outcome)", where);
    }

    private long of(Outcome outcome) {
        Conditions where = new Conditions();
        where.add("t.outcome = :outcome", "outcome", outcome.name());
        return entries("task_history t force index (by_outcome)", where);
    }

    private long live(String index) {
        Conditions where = new Conditions();
        where.add("t.state = :state", "state", filter.state());
        if (filter.state() != null) {
            where.add("t.idle = :idle", "idle", filter.state().equals("IDLE"));
        }
        return entries("task t force index (" + index + ")", where);
    }

    private long cursors() {
        return entries("job_next t force index (by_fire_time)", new Conditions());
    }

    private long entries(String from, Conditions where) {
        where.add("t.fire_time >= :since", "since", SqlTime.textOrNull(filter.since()));
        where.add("t.fire_time < :until", "until", SqlTime.textOrNull(filter.until()));
        Query query = handle.createQuery(
                "select count(*) from (select 1 from " + from + where.sql() + " limit " + COUNTED + ") c");
        where.bind(query);
        return query.mapTo(Long.class).one();
    }

    /** Returns whether a row that began before the range belongs to it, and is not counted. */
    private boolean reachesIn() {
        return filter.since() != null
                && Spans.covering(handle, "select t.id, t.fire_time from task_history t", filter, filter.since(), null)
                        .filter(query -> !query.mapTo(Long.class).list().isEmpty())
                        .isPresent();
    }
}
