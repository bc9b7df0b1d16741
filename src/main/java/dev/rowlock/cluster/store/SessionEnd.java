package dev.rowlock.cluster.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import dev.rowlock.task.Hold;
import dev.rowlock.task.LaunchId;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.history.Retention;
import dev.rowlock.task.transition.Finish;
import dev.rowlock.task.transition.Losses;
import dev.rowlock.task.transition.Release;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * End of a session. The transaction that removes it from the table has all lock rows, so from then on nothing can be
 * done in its name. It settles everything that the session executed, and one batch of what it had prepared. The rest,
 * perhaps a million, is settled batch by batch by whoever finds it.
 */
public final class SessionEnd {

    public static final int BATCH = 500;

    private static final String ROW = "select id, job_id, job_version, stripe, state, launch_id, coalesce(hold = '"
            + Hold.ERROR + "', false) as refused from task ";
    /**
     * Query of executing tasks by the index on due times: they are few, whatever else the session holds. While the
     * database's clock is set back, some may be left to the batches.
     */
    private static final String EXECUTING = ROW + "force index (due) where idle = 0 and due_at <= utc_timestamp(6)"
            + " and state = 'EXECUTING' and session_id = :id order by id";
    /** Query that continues after the last batch, and does not pass over its traces in the index again. */
    private static final String HELD = ROW + """
            force index (held)
             where session_id = :id and job_id >= :job and (job_id > :job or id > :task)
             order by job_id, id limit %s""".formatted(BATCH);

    private static final String REMEMBER = """
            replace into session_past (node, id, host, pid, version, capacity, started_at, heartbeat_at, gone_at,
                   reason)
            select node, id, host, pid, version, capacity, started_at, heartbeat_at, utc_timestamp(3),
                   left(:reason, 200)
              from session where id = :id
            """;
    private static final String LOG = """
            insert ignore into session_log (id, node, host, version, labels, capacity, took_work, started_at,
                   heartbeat_at, gone_at, reason)
            select id, node, host, version, labels, capacity, not drained, started_at, heartbeat_at, utc_timestamp(3),
                   left(:reason, 200)
              from session where id = :id
            """;
    /** Statement that deletes ended sessions to which no row of history reaches back any more. */
    private static final String FORGET_LOGGED =
            "delete from session_log where gone_at < :purged order by gone_at limit " + BATCH;

    private static final String FORGET = "delete from session_past where gone_at < utc_timestamp(3) - interval 1 day";
    private static final String PAST = "select node, reason from session_past where id = :id";

    private final Finish finish;

    SessionEnd(Finish finish) {
        this.finish = finish;
    }

    /** Task that a session holds. */
    public record Held(TaskRef task, boolean executing, boolean refused) {

        public HeldPosition position() {
            return new HeldPosition(task.jobId(), task.id());
        }
    }

    /** Position among the tasks that a session holds, in the order of their jobs. */
    public record HeldPosition(long job, long task) {

        public static final HeldPosition FIRST = new HeldPosition(0, 0);
    }

    private record PastSession(String node, String reason) {}

    /**
     * Ends a session that is in the table.
     *
     * @param started which of its launches were started; null: any of them may have been
     * @param reason why what it executed is lost
     * @param gone why it is gone, for people
     * @return how many tasks are lost
     */
    int end(Handle handle, String id, @Nullable Set<LaunchId> started, String reason, String gone) {
        int lost = settle(handle, id, started, reason, null);
        remove(handle, id, gone);
        return lost;
    }

    /**
     * Settles its executing tasks and a batch of its prepared ones: without {@link #remove}, which comes before or
     * after that in the same transaction.
     *
     * @param node its name, if its row is gone
     * @return how many tasks are lost
     */
    int settle(Handle handle, String id, @Nullable Set<LaunchId> started, String reason, @Nullable String node) {
        return settle(handle, executing(handle, id), started, reason, node)
                + settle(handle, held(handle, id, HeldPosition.FIRST), started, reason, node);
    }

    /** Removes its row from the table. */
    void remove(Handle handle, String id, String gone) {
        update(handle, REMEMBER, "id", id, "reason", gone);
        update(handle, LOG, "id", id, "reason", gone);
        handle.execute(FORGET);
        update(handle, FORGET_LOGGED, "purged", SqlTime.text(Retention.purged(handle)));
        update(handle, "delete from task_request where session_id = :id", "id", id);
        update(handle, "delete from session where id = :id", "id", id);
    }

    /**
     * Settles these tasks of a session that is not in the table, unless others hold them. Returns the number of lost
     * ones.
     */
    int settleLeftBehind(Handle handle, String id, List<Held> tasks) {
        Optional<PastSession> past = query(handle, PAST, "id", id)
                .map((row, context) -> new PastSession(row.getString("node"), row.getString("reason")))
                .findOne();
        String reason = "its session " + id + " ended before it did"
                + past.map(p -> " (" + p.reason + ")").orElse("");
        return settle(handle, tasks, null, reason, past.map(PastSession::node).orElse(null));
    }

    /** Returns one batch of the tasks that it holds, after that position. */
    public static List<Held> held(Handle handle, String id, HeldPosition after) {
        return query(handle, HELD, "id", id, "job", after.job(), "task", after.task())
                .map((row, context) -> read(row))
                .list();
    }

    private static List<Held> executing(Handle handle, String id) {
        return query(handle, EXECUTING, "id", id)
                .map((row, context) -> read(row))
                .list();
    }

    private static Held read(ResultSet row) throws SQLException {
        return new Held(
                new TaskRef(
                        row.getLong("id"),
                        row.getLong("job_id"),
                        row.getInt("job_version"),
                        row.getInt("stripe"),
                        new LaunchId(row.getString("launch_id"))),
                "EXECUTING".equals(row.getString("state")),
                row.getBoolean("refused"));
    }

    /** @param node whose name stands in history if the session's row is gone; null: nobody knows */
    private int settle(
            Handle handle, List<Held> tasks, @Nullable Set<LaunchId> started, String reason, @Nullable String node) {
        Map<Long, LaunchId> back = new HashMap<>();
        List<Ending> lost = new ArrayList<>();
        Losses losses = new Losses(handle, finish, node);
        for (Held held : tasks) {
            TaskRef task = held.task;
            if (held.executing && held.refused) {
                losses.setAside(task.id());
            } else if (held.executing && (started == null || started.contains(task.held()))) {
                lost.add(Ending.without(task, Outcome.LOST, reason));
            } else {
                back.put(task.id(), task.held());
            }
        }
        Release.toIdle(
                handle,
                back,
                tasks.stream()
                        .filter(Held::executing)
                        .map(held -> held.task.id())
                        .collect(Collectors.toSet()));
        losses.record(lost);
        return lost.size();
    }
}
