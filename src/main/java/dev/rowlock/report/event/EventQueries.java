package dev.rowlock.report.event;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import dev.rowlock.freeze.store.FreezeStore;
import dev.rowlock.freeze.store.FreezeStore.FreezeAt;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queries of recent events, from what is recorded anyway. Rows become visible when their transaction commits, which is
 * neither in the order of their ids nor of their times; so a period is read again and again, and the caller has to know
 * what it has seen before. Executing tasks are returned whenever they began.
 */
public final class EventQueries {

    /** Single statement, so that a task that ends is seen in one of the two tables, and not in neither. */
    private static final String LOOK = """
            select 'NOW' as kind, 0 as id, 0 as version, '' as mark, utc_timestamp(3) as at
            union all
            select 'STARTED', id, 0, launch_id, started_at from task force index (due)
             where idle = 0 and due_at <= utc_timestamp(6) and state = 'EXECUTING'
            union all
            (select 'ENDED', id, 0, '', ended_at from task_history force index (by_ended_at)
              where ended_at >= %1$s order by ended_at limit %2$s)
            union all
            select 'HELD', h.id, 0, '', h.queued_at
              from task e force index (due)
              straight_join task h force index (one_attempt) on h.job_id = e.job_id
             where e.idle = 0 and e.due_at <= utc_timestamp(6) and e.state = 'EXECUTING'
               and h.state = 'IDLE' and h.hold is not null and h.queued_at >= %1$s
            union all
            select 'HELD', h.id, 0, '', h.queued_at
              from task_wait w
              straight_join task h force index (primary) on h.id = w.task_id
             where w.woken_at is null and h.state = 'IDLE' and h.hold is not null and h.queued_at >= %1$s
            union all
            select 'HELD', task_id, 0, '', since from task_aside where since >= %1$s
            union all
            (select 'CHANGED', job_id, version, '', valid_from from job_version force index (by_start)
              where valid_from >= %1$s order by valid_from limit %2$s)
            union all
            select 'DELETED', v.job_id, v.version, '', v.valid_until
              from (select job_id, version, valid_until from job_version force index (by_end)
                     where valid_until >= %1$s order by valid_until limit %2$s) v
             where not exists (select 1 from job_version n where n.job_id = v.job_id and n.version = v.version + 1)
            union all
            select 'JOINED', 0, 0, id, started_at from session where started_at >= %1$s
            union all
            select 'LEFT', 0, 0, id, gone_at from session_past where gone_at >= %1$s
            union all
            select 'FROZEN', id, 0, cast(changed_at as char), changed_at from freeze force index (by_change)
             where changed_at >= %1$s
            """;

    private static final String NAMES =
            "select distinct job_id, namespace, name from job_version where job_id in (<ids>)";

    private static final String NODES = """
            select id, node, host, version, started_at as at, null as reason from session where id in (<ids>)
            union all
            select id, node, host, version, gone_at, reason from session_past where id in (<ids>)
            """;

    /** Tasks read by one statement. */
    private static final int TOGETHER = 400;

    private final Database database;

    public EventQueries(Database database) {
        this.database = database;
    }

    /** Kind of event. */
    public enum EventKind {
        STARTED,
        ENDED,
        HELD,
        CHANGED,
        DELETED,
        JOINED,
        LEFT,
        /** Freeze that was made, changed or ended. */
        FROZEN
    }

    /**
     * Event of a task, a job, a freeze or a session.
     *
     * @param id of the task, the job or the freeze; 0: it is a session
     * @param version of the job
     * @param mark of a task that started its launch id, of a session its id; else empty
     */
    public record EventSubject(EventKind kind, long id, int version, String mark) {}

    /**
     * Snapshot of recent events.
     *
     * @param now the database's time
     * @param at when each happened, as far as it is recorded
     * @param cut whether more has ended, or was changed, than was read
     */
    public record Look(Instant now, Map<EventSubject, Instant> at, boolean cut) {}

    /** Node that joined or left; the reason is null if it joined. */
    public record NodeChange(
            String node,
            String session,
            String host,
            String version,
            Instant at,
            @Nullable String reason) {}

    /**
     * Looks once, without a lock.
     *
     * @param from what happened since then; null: within {@code back}
     * @param most so many tasks that ended, and so many changes of jobs, the earliest
     */
    public Look look(@Nullable Instant from, Duration back, int most) {
        String since = from == null
                ? "utc_timestamp(3) - interval " + back.toSeconds() + " second"
                : "'" + SqlTime.text(from) + "'";
        return database.autoCommit("looking for events", handle -> {
            Map<EventSubject, Instant> at = new HashMap<>();
            Instant[] now = new Instant[1];
            handle.createQuery(LOOK.formatted(since, most))
                    .map((row, context) -> note(row, at, now))
                    .list();
            boolean cut = count(at, EventKind.ENDED) >= most || count(at, EventKind.CHANGED, EventKind.DELETED) >= most;
            return new Look(now[0], at, cut);
        });
    }

    private static long count(Map<EventSubject, Instant> at, EventKind... kinds) {
        return at.keySet().stream()
                .filter(subject -> List.of(kinds).contains(subject.kind()))
                .count();
    }

    private static boolean note(ResultSet row, Map<EventSubject, Instant> at, Instant[] now) throws SQLException {
        String kind = row.getString("kind");
        Instant when = SqlTime.readOrNull(row, "at");
        if (kind.equals("NOW") && when != null) {
            now[0] = when;
        } else if (when != null) {
            EventSubject subject = new EventSubject(
                    EventKind.valueOf(kind), row.getLong("id"), row.getInt("version"), row.getString("mark"));
            at.put(subject, when);
        }
        return true;
    }

    /** Returns these tasks by id, as they are by now; those that are gone are left out. */
    public Map<Long, TaskView> tasks(Collection<Long> ids) {
        Map<Long, TaskView> found = new HashMap<>();
        List<Long> all = new ArrayList<>(ids);
        database.autoCommit("reading the tasks of events", handle -> {
            for (int i = 0; i < all.size(); i += TOGETHER) {
                for (TaskView task : TaskQueries.find(handle, all.subList(i, Math.min(all.size(), i + TOGETHER)))) {
                    found.put(task.id(), task);
                }
            }
            return found;
        });
        return found;
    }

    /** Returns these freezes by id. */
    public Map<Long, FreezeAt> freezes(Collection<Long> ids) {
        Map<Long, FreezeAt> found = new HashMap<>();
        FreezeStore freezes = new FreezeStore(database);
        ids.forEach(id -> freezes.find(id).ifPresent(freeze -> found.put(id, freeze)));
        return found;
    }

    /** Returns the names of these jobs by id, including deleted ones. */
    public Map<Long, JobKey> names(Collection<Long> ids) {
        Map<Long, JobKey> names = new HashMap<>();
        if (!ids.isEmpty()) {
            database.autoCommit(
                    "reading the names of jobs",
                    handle -> handle.createQuery(NAMES)
                            .bindList("ids", List.copyOf(ids))
                            .map((row, context) -> names.put(
                                    row.getLong("job_id"),
                                    new JobKey(row.getString("namespace"), row.getString("name"))))
                            .list());
        }
        return names;
    }

    /** Returns the nodes of these sessions, including ended ones, by session. */
    public Map<String, NodeChange> nodes(Collection<String> sessions) {
        Map<String, NodeChange> nodes = new HashMap<>();
        if (!sessions.isEmpty()) {
            database.autoCommit(
                    "reading the nodes of events",
                    handle -> handle.createQuery(NODES)
                            .bindList("ids", List.copyOf(sessions))
                            .map((row, context) -> nodes.put(row.getString("id"), node(row)))
                            .list());
        }
        return nodes;
    }

    private static NodeChange node(ResultSet row) throws SQLException {
        return new NodeChange(
                row.getString("node"),
                row.getString("id"),
                row.getString("host"),
                row.getString("version"),
                SqlTime.read(row, "at"),
                row.getString("reason"));
    }
}
