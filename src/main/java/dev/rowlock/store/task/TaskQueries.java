package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Conditions;
import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.Outcome;
import dev.rowlock.job.Overrides;
import dev.rowlock.job.TaskFilter;
import dev.rowlock.job.TaskView;
import dev.rowlock.store.history.FurtherConditions;
import dev.rowlock.store.history.Spans;
import dev.rowlock.store.history.TaskHistory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Finds live tasks, then those in history: one that ends in between is seen twice rather than not at all. */
public final class TaskQueries {

    /** So that a list has a limit in bytes, too. */
    private static final String SHORT_OVERRIDES =
            "if(char_length(t.overrides) > 2000," + " json_object('bytes', octet_length(t.overrides)), t.overrides)";

    /** Tasks first, by fire time: MySQL would rather read all versions of all jobs and sort. */
    private static final String LIVE =
            """
            select t.id, v.namespace, v.name as job, t.job_version, t.fire_time, t.due_at, t.origin, t.attempt,
                   t.cause, t.state, null as outcome, %s as reason, t.hold, %s as hold_reason, s.node,
                   t.session_id, t.launch_id, t.started_at, null as ended_at,
                   timestampdiff(microsecond, %s, t.started_at) div 1000 as lateness_ms,
                   null as duration_ms, null as exit_code, null as exit_signal, 1 as occurrences,
                   t.fire_time as last_fire_time,
                   (select o.total_bytes from task_output o where o.task_id = t.id and o.launch_id = t.launch_id)
                     as output_bytes,
                   t.queued_at, t.priority, t.group_name, null as superseded_by, t.replaced_by, %s as overrides,
                   null as note
              from task t
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
              left join session s on s.id = t.session_id
            """.formatted(Slots.REASON, Pause.reason("v"), TaskHistory.LATE_FROM, SHORT_OVERRIDES);

    private static final String ENDED = """
            select t.id, t.namespace, t.job, t.job_version, t.fire_time, t.due_at, t.origin, t.attempt, t.cause,
                   'ENDED' as state, t.outcome, t.reason, null as hold, null as hold_reason, t.node, t.session_id,
                   t.launch_id, t.started_at, t.ended_at, t.lateness_ms, t.duration_ms,
                   t.exit_code, t.exit_signal, t.occurrences, t.last_fire_time, t.output_bytes,
                   t.queued_at, t.priority, t.group_name, t.superseded_by, t.replaced_by, %s as overrides, t.note
              from task_history t
            """.formatted(SHORT_OVERRIDES);
    private static final String SESSIONS_OF_NODE = "select id from session where node = :node";
    /** A job that was deleted is found by what it is still executing. */
    private static final String JOBS_OF_NAME = """
            select id from job where namespace = :namespace and name = :name
            union
            select t.job_id
              from task t
              join job_version v on v.job_id = t.job_id and v.version = t.job_version
             where t.state = 'EXECUTING' and v.namespace = :namespace and v.name = :name
            """;

    private static final String KNOWN = """
            select exists (select 1 from job where namespace = :namespace and name = :name)
                or exists (select 1 from job_version where namespace = :namespace and name = :name)
                or exists (select 1 from task_history where namespace = :namespace and job = :name)
            """;
    public static final Comparator<TaskView> NEWEST_FIRST =
            Comparator.comparing(TaskView::fireTime).thenComparing(TaskView::id).reversed();

    private final Database database;

    public TaskQueries(Database database) {
        this.database = database;
    }

    public Optional<TaskView> find(long id) {
        return database.autoCommit("reading task " + id, handle -> find(handle, id));
    }

    /** These tasks, live or ended, in no order; one that ends meanwhile may be there twice. */
    public List<TaskView> find(Collection<Long> ids) {
        return database.autoCommit("reading tasks", handle -> find(handle, ids));
    }

    /** At most {@code limit} tasks, newest fire time first. */
    public List<TaskView> page(TaskFilter filter) {
        return database.autoCommit("listing tasks", handle -> {
            List<TaskView> found = new ArrayList<>();
            if (filter.outcome() == null && filter.minDuration() == null && !"ENDED".equals(filter.state())) {
                found.addAll(live(handle, filter));
            }
            if (filter.state() == null || filter.state().equals("ENDED")) {
                List<TaskView> ended = new ArrayList<>(ended(handle, filter));
                if (ended.size() < filter.limit()) {
                    ended.addAll(reachingIn(handle, filter));
                }
                Set<Long> ids = new HashSet<>();
                ended.forEach(t -> ids.add(t.id()));
                found.removeIf(t -> ids.contains(t.id()));
                found.addAll(ended);
            }
            return found.stream().sorted(NEWEST_FIRST).limit(filter.limit()).toList();
        });
    }

    /** Whether there is such a job, or something is left of one. */
    public boolean isKnown(JobKey key) {
        return database.autoCommit(
                "looking for traces of job " + key,
                handle -> query(handle, KNOWN, "namespace", key.namespace(), "name", key.name())
                        .mapTo(Boolean.class)
                        .one());
    }

    public static Optional<TaskView> find(Handle handle, long id) {
        return one(handle, LIVE, id).or(() -> one(handle, ENDED, id));
    }

    /** These tasks, live or ended, in no order; one that ends meanwhile may be there twice. */
    public static List<TaskView> find(Handle handle, Collection<Long> ids) {
        List<TaskView> found = new ArrayList<>();
        for (String select : ids.isEmpty() ? List.<String>of() : List.of(LIVE, ENDED)) {
            found.addAll(handle.createQuery(select + " where t.id in (<ids>)")
                    .bindList("ids", List.copyOf(ids))
                    .map((row, context) -> view(row))
                    .list());
        }
        return found;
    }

    private static Optional<TaskView> one(Handle handle, String select, long id) {
        return query(handle, select.replace(SHORT_OVERRIDES, "t.overrides") + " where t.id = :id", "id", id)
                .map((row, context) -> view(row))
                .findOne();
    }

    private static List<TaskView> live(Handle handle, TaskFilter filter) {
        Conditions where = new Conditions();
        String index = "by_fire_time";
        where.add("t.state = :state", "state", filter.state());
        if (filter.state() != null && !filter.state().equals("IDLE")) {
            index = "due"; // few, and found by their state
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
        if (filter.job() == null) {
            where.add("v.namespace = :namespace", "namespace", filter.namespace());
        } else {
            List<Long> jobs = query(handle, JOBS_OF_NAME, "namespace", filter.namespace(), "name", filter.job())
                    .mapTo(Long.class)
                    .list();
            if (jobs.isEmpty()) {
                return List.of();
            }
            where.addList("t.job_id in (<jobs>)", "jobs", jobs);
            index = "one_attempt";
        }
        return run(handle, LIVE.replace("from task t", "from task t force index (" + index + ")"), where, filter);
    }

    private static List<TaskView> ended(Handle handle, TaskFilter filter) {
        Conditions where = new Conditions();
        where.add("t.namespace = :namespace", "namespace", filter.namespace());
        where.add("t.job = :job", "job", filter.job());
        where.add(
                "t.outcome = :outcome",
                "outcome",
                filter.outcome() == null ? null : filter.outcome().name());
        where.add("t.node = :node", "node", filter.node());
        if (!filter.expanded() && filter.outcome() == null) {
            where.add("t.outcome <> 'EXPANDED'");
        }
        return run(
                handle,
                ENDED.replace("from task_history t", "from task_history t force index (" + indexOf(filter) + ")"),
                where,
                filter);
    }

    /** What began before the range and reaches into it. No node has ever held such a row. */
    private static List<TaskView> reachingIn(Handle handle, TaskFilter filter) {
        Instant since = filter.since();
        if (since == null
                || filter.node() != null
                || (filter.until() != null && !filter.until().isAfter(since))) {
            return List.of();
        }
        return Spans.covering(handle, ENDED, filter, since)
                .map(query -> query.map((row, context) -> view(row)).list())
                .orElse(List.of());
    }

    /** The one that leaves least to be walked: most tasks succeed, so that alone narrows nothing. */
    private static String indexOf(TaskFilter filter) {
        boolean unusual = filter.outcome() != null && filter.outcome() != Outcome.SUCCEEDED;
        if (filter.job() != null) {
            return "by_job";
        } else if (unusual) {
            return "by_outcome";
        } else if (filter.node() != null) {
            return "by_node";
        } else if (filter.namespace() != null) {
            return "by_namespace";
        }
        return filter.outcome() != null ? "by_outcome" : "by_fire_time";
    }

    /**
     * The tie-break stands apart from the range: written as {@code (fire_time, id) < (?, ?)}, the whole index would be
     * read. The index is named, as MySQL may walk a large one from its end instead.
     */
    private static List<TaskView> run(Handle handle, String select, Conditions where, TaskFilter filter) {
        FurtherConditions.add(where, filter);
        where.add("t.fire_time >= :since", "since", SqlTime.textOrNull(filter.since()));
        where.add("t.fire_time < :until", "until", SqlTime.textOrNull(filter.until()));
        TaskFilter.Position after = filter.after();
        if (after != null) {
            where.add("t.fire_time <= :afterTime", "afterTime", SqlTime.text(after.fireTime()));
            where.add("(t.fire_time < :afterTime or t.id < :afterId)", "afterId", after.id());
        }
        Query query = handle.createQuery(
                select + where.sql() + " order by t.fire_time desc, t.id desc limit " + filter.limit());
        where.bind(query);
        return query.map((row, context) -> view(row)).list();
    }

    private static TaskView view(ResultSet row) throws SQLException {
        return new TaskView(
                row.getLong("id"),
                new JobKey(row.getString("namespace"), row.getString("job")),
                row.getInt("job_version"),
                SqlTime.read(row, "fire_time"),
                SqlTime.readOrNull(row, "due_at"),
                row.getString("origin"),
                row.getInt("attempt"),
                row.getString("cause"),
                row.getString("state"),
                row.getString("outcome"),
                row.getString("reason"),
                row.getString("hold"),
                row.getString("hold_reason"),
                row.getString("node"),
                row.getString("session_id"),
                row.getString("launch_id"),
                SqlTime.readOrNull(row, "started_at"),
                SqlTime.readOrNull(row, "ended_at"),
                number(row, "lateness_ms"),
                number(row, "duration_ms"),
                small(row, "exit_code"),
                small(row, "exit_signal"),
                row.getLong("occurrences"),
                SqlTime.read(row, "last_fire_time"),
                number(row, "output_bytes"),
                SqlTime.readOrNull(row, "queued_at"),
                row.getInt("priority"),
                row.getString("group_name"),
                number(row, "superseded_by"),
                number(row, "replaced_by"),
                Overrides.tree(row.getString("overrides")),
                row.getString("note"));
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private static @Nullable Integer small(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
