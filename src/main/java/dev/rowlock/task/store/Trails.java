package dev.rowlock.task.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Traces that explain tasks, live and ended, beyond what people see of them. */
public final class Trails {

    private static final String COLUMNS =
            "id, job_id, prepared_at, next_fire_time, waited_for, taken_from, taken_node from ";
    /** Tables, live rows first: one that ends in between is seen in history. */
    private static final List<String> TABLES = List.of("task", "task_history");

    /** Tasks that ended within a period, soonest first, of which a limited number is read. */
    private static final String HELD_SLOTS = """
            select r.id
              from (select id, group_name, started_at from task_history force index (by_ended_at)
                     where ended_at >= :from and ended_at <= :until order by ended_at limit 5000) r
             where r.group_name = :group and r.started_at <= :from
             union
            select s.task_id from group_slot s join task t on t.id = s.task_id
             where s.group_name = :group and t.started_at <= :from
             order by id limit :most
            """;
    /** Count without tasks that began more than an hour before, so it may be too small. */
    private static final String EXECUTED = """
            select count(*)
              from (select started_at, ended_at from task_history force index (by_node)
                     where node = :node and fire_time >= :since and fire_time <= :at
                     order by fire_time desc limit 5000) r
             where r.started_at <= :at and r.ended_at > :at
            """;

    private static final String EXECUTE = """
            select count(*) from task t force index (held) join session s on s.id = t.session_id
             where s.node = :node and t.state = 'EXECUTING' and t.started_at <= :at
            """;
    private static final long REACH = 3_600;

    private final Database database;

    public Trails(Database database) {
        this.database = database;
    }

    /**
     * Traces of a task.
     *
     * @param waitedFor what held it last, by a policy: the kind and the reason; null: nothing did, or it is not known
     * @param takenFrom the launch under which another node had prepared it; null: the node that ran it had
     * @param takenNode that node; null: its session was gone already
     */
    public record Trail(
            long task,
            long jobId,
            @Nullable Instant preparedAt,
            @Nullable Instant nextFireTime,
            @Nullable String waitedFor,
            @Nullable String takenFrom,
            @Nullable String takenNode) {}

    /** Returns the traces by task; those that are gone are missing. */
    public Map<Long, Trail> of(Collection<Long> tasks) {
        Map<Long, Trail> trails = new HashMap<>();
        if (tasks.isEmpty()) {
            return trails;
        }
        return database.autoCommit("reading what became of tasks", handle -> {
            for (String table : TABLES) {
                handle.createQuery("select " + COLUMNS + table + " where id in (<ids>)")
                        .bindList("ids", List.copyOf(tasks))
                        .map((row, context) -> read(row))
                        .forEach(trail -> trails.put(trail.task, trail));
            }
            return trails;
        });
    }

    /**
     * Returns at most {@code most} tasks of a group that executed at {@code from}, and ended up to {@code until} or
     * still execute.
     */
    public List<Long> heldSlots(String group, Instant from, Instant until, int most) {
        return database.autoCommit(
                "looking for who held the slots of group " + group,
                handle -> query(
                                handle,
                                HELD_SLOTS,
                                "group",
                                group,
                                "from",
                                SqlTime.text(from),
                                "until",
                                SqlTime.text(until),
                                "most",
                                most)
                        .mapTo(Long.class)
                        .list());
    }

    /** Returns the least number of tasks that a node executed at some time. */
    public long executing(String node, Instant at) {
        return database.autoCommit("counting what node " + node + " executed", handle -> {
            long ended = query(
                            handle,
                            EXECUTED,
                            "node",
                            node,
                            "since",
                            SqlTime.text(at.minusSeconds(REACH)),
                            "at",
                            SqlTime.text(at))
                    .mapTo(Long.class)
                    .one();
            return ended
                    + query(handle, EXECUTE, "node", node, "at", SqlTime.text(at))
                            .mapTo(Long.class)
                            .one();
        });
    }

    private static Trail read(ResultSet row) throws SQLException {
        return new Trail(
                row.getLong("id"),
                row.getLong("job_id"),
                SqlTime.readOrNull(row, "prepared_at"),
                SqlTime.readOrNull(row, "next_fire_time"),
                row.getString("waited_for"),
                row.getString("taken_from"),
                row.getString("taken_node"));
    }
}
