package dev.rowlock.task.query;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Cause;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskFilter.TaskPosition;
import dev.rowlock.task.TaskPage;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.history.FurtherConditions;
import dev.rowlock.task.history.Spans;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Search for tasks, newest first, along the index that leaves least to be looked at. Where that index does not cover
 * the filter, matches may be rare, or missing: then the search has a floor, down to which it looks at no more than
 * {@link #LOOKED_AT} rows, or {@link #SCATTERED} ones, and returns where it ended.
 */
final class TaskSearch {

    /** Bound on index entries, and on rows: some ten milliseconds, as they lie together. */
    private static final int LOOKED_AT = 10_000;
    /** Bound on rows that lie far apart, a page of the table for each: some hundred milliseconds. */
    private static final int SCATTERED = 2_000;

    private static final String SESSIONS_OF_NODE = "select id from session where node = :node";
    /** Jobs of a name. A deleted one is found by what it is still executing. */
    private static final String JOBS_OF_NAME = """
            select id from job where namespace = :namespace and name = :name
            union
            select t.job_id
              from task t
              join job_version v on v.job_id = t.job_id and v.version = t.job_version
             where t.idle = 0 and t.state = 'EXECUTING' and v.namespace = :namespace and v.name = :name
            """;

    private final Handle handle;
    private final TaskFilter filter;
    private @Nullable TaskPosition floor;

    TaskSearch(Handle handle, TaskFilter filter) {
        this.handle = handle;
        this.filter = filter;
    }

    /** Returns all matches, up to the limit. */
    List<TaskView> all() {
        return newestFirst(reachingIn(down()));
    }

    /** Returns the matches that a search reaches at once. */
    TaskPage some() {
        floor = Stream.of(floorOfLive(), floorOfEnded())
                .flatMap(List::stream)
                .max(TaskPosition.OLDEST_FIRST)
                .orElse(null);
        List<TaskView> found = down();
        if (floor == null && found.size() < filter.limit()) {
            floor = floorOfSpans();
            found = reachingIn(found);
        }
        List<TaskView> page = newestFirst(found);
        return new TaskPage(page, page.size() < filter.limit() ? floor : null, null);
    }

    private List<TaskView> newestFirst(List<TaskView> found) {
        return TaskQueries.withReasons(
                handle,
                found.stream()
                        .sorted(TaskQueries.NEWEST_FIRST)
                        .limit(filter.limit())
                        .toList());
    }

    /**
     * Reads what is no task yet first, then live tasks: one that goes on in between is seen twice, rather than not at
     * all, and counts as what it is by then.
     */
    private List<TaskView> down() {
        Map<Long, TaskView> found = new LinkedHashMap<>();
        Stream.of(
                        asksForTurns() ? turns() : List.<TaskView>of(),
                        asksForCursors() ? cursors() : List.<TaskView>of(),
                        asksForLive() ? live() : List.<TaskView>of(),
                        asksForEnded() ? ended() : List.<TaskView>of())
                .flatMap(List::stream)
                .forEach(task -> found.put(task.id(), task));
        return new ArrayList<>(found.values());
    }

    private boolean asksForCursors() {
        return asksForIdle() && (filter.cause() == null || filter.cause() == Cause.SCHEDULE);
    }

    /** Returns whether fire times are listed that wait in backfills: so many that nobody else is to see them. */
    private boolean asksForTurns() {
        return asksForIdle() && filter.cause() == Cause.BACKFILL;
    }

    private boolean asksForIdle() {
        return asksForLive()
                && filter.node() == null
                && (filter.state() == null || filter.state().equals("IDLE"));
    }

    private boolean asksForLive() {
        return filter.outcome() == null && filter.minDuration() == null && !"ENDED".equals(filter.state());
    }

    private boolean asksForEnded() {
        return filter.state() == null || filter.state().equals("ENDED");
    }

    /**
     * Returns the floor of live tasks, if there is one: a job, a node or a state has few. Nearly all live ones are
     * cursors.
     */
    private List<TaskPosition> floorOfLive() {
        boolean few = filter.job() != null
                || filter.node() != null
                || (filter.state() != null && !filter.state().equals("IDLE"));
        return few || !asksForLive() || !(asksFurther() || filter.namespace() != null)
                ? List.of()
                : floorOf("job_next t force index (by_fire_time)", "t.task_id", new Conditions(), LOOKED_AT);
    }

    private List<TaskPosition> floorOfEnded() {
        String index = indexOf(filter);
        boolean knowsAll = switch (index) {
            case "by_job" -> filter.outcome() == null && filter.node() == null;
            case "by_outcome" -> filter.namespace() == null && filter.node() == null;
            case "by_node" -> filter.namespace() == null && filter.outcome() == null;
            case "by_namespace" -> filter.outcome() == null;
            default -> true;
        };
        if (!asksForEnded() || (knowsAll && !asksFurther())) {
            return List.of();
        }
        Conditions known = new Conditions();
        if (index.equals("by_job") || index.equals("by_namespace")) {
            known.add("t.namespace = :namespace", "namespace", filter.namespace());
        }
        known.add("t.job = :job", "job", filter.job());
        if (index.equals("by_outcome")) {
            known.add("t.outcome = :outcome", "outcome", nameOf(filter.outcome()));
        } else if (index.equals("by_node")) {
            known.add("t.node = :node", "node", filter.node());
        }
        boolean together = !index.equals("by_job") && !(index.equals("by_outcome") && isUnusual(filter));
        return floorOf("task_history t force index (" + index + ")", "t.id", known, together ? LOOKED_AT : SCATTERED);
    }

    private boolean asksFurther() {
        return filter.cause() != null
                || filter.minDuration() != null
                || !filter.labels().isEmpty();
    }

    /** Reads entries of the index alone; none: there are fewer. */
    private List<TaskPosition> floorOf(String from, String id, Conditions where, int lookedAt) {
        addRange(where, id);
        Query query = handle.createQuery("select t.fire_time, " + id + " as id from " + from + where.sql()
                + " order by t.fire_time desc, " + id + " desc limit 1 offset " + (lookedAt - 1));
        where.bind(query);
        return query.map((row, context) -> new TaskPosition(SqlTime.read(row, "fire_time"), row.getLong("id")))
                .list();
    }

    private @Nullable TaskPosition floorOfSpans() {
        return canReachIn() ? Spans.floor(handle, filter, since()).orElse(null) : null;
    }

    private List<TaskView> live() {
        Conditions where = new Conditions();
        String index = "primary"; // few, as what cursors stand at is elsewhere
        where.add("t.state = :state", "state", filter.state());
        if (filter.state() != null) {
            where.add("t.idle = :idle", "idle", filter.state().equals("IDLE"));
            index = "due";
        }
        if (filter.node() != null) {
            List<String> sessions = query(handle, SESSIONS_OF_NODE, "node", filter.node())
                    .mapTo(String.class)
                    .list();
            if (sessions.isEmpty()) {
                return List.of();
            }
            where.addList("t.session_id in (<sessions>)", "sessions", sessions);
            index = "held";
        }
        if (filter.job() != null) {
            index = "one_attempt";
        }
        return ofJobs(where)
                ? run(TaskSelect.LIVE.replace("from task t", "from task t force index (" + index + ")"), "t.id", where)
                : List.of();
    }

    private List<TaskView> cursors() {
        Conditions where = new Conditions();
        String index = filter.job() == null ? "by_fire_time" : "primary";
        return ofJobs(where)
                ? run(
                        TaskSelect.CURSORS.replace("from job_next t", "from job_next t force index (" + index + ")"),
                        "t.task_id",
                        where)
                : List.of();
    }

    /** Reads the fire times of backfills that wait; of each, they are bounded. */
    private List<TaskView> turns() {
        Conditions where = new Conditions();
        where.add("b.ended_at is null");
        where.add("b.namespace = :namespace", "namespace", filter.namespace());
        where.add("b.job = :job", "job", filter.job());
        FurtherConditions.addLabels(where, filter, "b.job_id");
        return inRange(TaskSelect.TURNS, "t.task_id", where);
    }

    /** Adds the condition on jobs, and returns false if there is no such job. */
    private boolean ofJobs(Conditions where) {
        if (filter.job() == null) {
            where.add("v.namespace = :namespace", "namespace", filter.namespace());
            return true;
        }
        List<Long> jobs = query(handle, JOBS_OF_NAME, "namespace", filter.namespace(), "name", filter.job())
                .mapTo(Long.class)
                .list();
        if (!jobs.isEmpty()) {
            where.addList("t.job_id in (<jobs>)", "jobs", jobs);
        }
        return !jobs.isEmpty();
    }

    private List<TaskView> ended() {
        Conditions where = new Conditions();
        where.add("t.namespace = :namespace", "namespace", filter.namespace());
        where.add("t.job = :job", "job", filter.job());
        where.add("t.outcome = :outcome", "outcome", nameOf(filter.outcome()));
        where.add("t.node = :node", "node", filter.node());
        if (!filter.expanded() && filter.outcome() == null) {
            where.add("t.outcome <> 'EXPANDED'");
        }
        if (!filter.withdrawn()) {
            where.add("not t.withdrawn");
        }
        String index = "from task_history t force index (" + indexOf(filter) + ")";
        return run(TaskSelect.ENDED.replace("from task_history t", index), "t.id", where);
    }

    private static @Nullable String nameOf(@Nullable Outcome outcome) {
        return outcome == null ? null : outcome.name();
    }

    private Instant since() {
        return filter.since() == null ? Instant.MAX : filter.since();
    }

    /** Returns whether a row that began before the range may reach into it. No node has ever held such a row. */
    private boolean canReachIn() {
        return asksForEnded()
                && filter.since() != null
                && filter.node() == null
                && (filter.until() == null || filter.until().isAfter(filter.since()));
    }

    /** Returns these tasks, and those that reach in, which come last. */
    private List<TaskView> reachingIn(List<TaskView> found) {
        if (!canReachIn() || found.size() >= filter.limit()) {
            return found;
        }
        List<TaskView> all = new ArrayList<>(found);
        Spans.covering(handle, TaskSelect.ENDED, filter, since(), floor)
                .ifPresent(query -> all.addAll(
                        query.map((row, context) -> TaskSelect.view(row)).list()));
        return all;
    }

    /** Returns the index that leaves least to be walked: most tasks succeed, so that alone narrows nothing. */
    static String indexOf(TaskFilter filter) {
        if (filter.job() != null) {
            return "by_job";
        } else if (isUnusual(filter)) {
            return "by_outcome";
        } else if (filter.node() != null) {
            return "by_node";
        } else if (filter.namespace() != null) {
            return "by_namespace";
        }
        return filter.outcome() != null ? "by_outcome" : "by_fire_time";
    }

    private static boolean isUnusual(TaskFilter filter) {
        return filter.outcome() != null && filter.outcome() != Outcome.SUCCEEDED;
    }

    /** Runs a query whose index is named, as MySQL may walk a large one from its end instead. */
    private List<TaskView> run(String select, String id, Conditions where) {
        FurtherConditions.add(where, filter, id.equals("t.id"));
        return inRange(select, id, where);
    }

    private List<TaskView> inRange(String select, String id, Conditions where) {
        addRange(where, id);
        if (floor != null) {
            where.add("t.fire_time >= :floorTime", "floorTime", SqlTime.text(floor.fireTime()));
            where.add("(t.fire_time > :floorTime or " + id + " >= :floorId)", "floorId", floor.id());
        }
        Query query = handle.createQuery(
                select + where.sql() + " order by t.fire_time desc, " + id + " desc limit " + filter.limit());
        where.bind(query);
        return query.map((row, context) -> TaskSelect.view(row)).list();
    }

    /**
     * Adds the range, with the tie-break apart: written as {@code (fire_time, id) < (?, ?)}, the whole index would be
     * read.
     */
    private void addRange(Conditions where, String id) {
        where.add("t.fire_time >= :since", "since", SqlTime.textOrNull(filter.since()));
        where.add("t.fire_time < :until", "until", SqlTime.textOrNull(filter.until()));
        TaskPosition after = filter.after();
        if (after != null) {
            where.add("t.fire_time <= :afterTime", "afterTime", SqlTime.text(after.fireTime()));
            where.add("(t.fire_time < :afterTime or " + id + " < :afterId)", "afterId", after.id());
        }
    }
}
