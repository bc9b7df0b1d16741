package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.Hold;
import dev.rowlock.task.store.FireDecisions.Decided;
import dev.rowlock.task.store.FireDecisions.Displacement;
import dev.rowlock.task.transition.GroupWaits;
import dev.rowlock.task.transition.NodeWaits;
import dev.rowlock.task.transition.StaleWaits;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Rows of {@code task_wait}: tasks that wait for a group or for a node, in the order in which they are to start. A row
 * is made with the hold of its task, and deleted when that starts or ends; one that outlives its task is passed over,
 * and deleted by {@link StaleWaits}. {@link GroupWaits} and {@link NodeWaits} wake the tasks.
 */
public final class Waits {

    private static final String FOR_GROUP = """
            insert into task_wait (task_id, stripe, awaited, rank_at)
            select t.id, t.stripe, concat('group:', v.group_name), t.queued_at - interval v.priority minute
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', group_name varchar(64) character set utf8mb4 path '$[1]',
                     priority int path '$[2]')) v
              straight_join task t force index (primary) on t.id = v.id
                on duplicate key update
                   rank_at = if(awaited = values(awaited), least(rank_at, values(rank_at)), values(rank_at)),
                   awaited = values(awaited), woken_at = null
            """;
    private static final String INHERIT = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]', replaced bigint path '$[1]')) v
              straight_join task_wait w force index (primary) on w.task_id = v.id
              straight_join task_wait o force index (primary) on o.task_id = v.replaced and o.awaited = w.awaited
               set w.rank_at = least(w.rank_at, o.rank_at)
            """;
    private static final String FOR_NODE = """
            insert into task_wait (task_id, stripe, awaited, rank_at)
            select t.id, t.stripe, concat('selector:', t.selector), utc_timestamp(3)
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
                on duplicate key update
                   rank_at = if(awaited = values(awaited), rank_at, values(rank_at)), awaited = values(awaited),
                   woken_at = null
            """;
    /** A task may have the rank of one that it replaced, but has waited itself since policy held it first. */
    private static final String FOR_NODE_SINCE = """
            select w.task_id, greatest(w.rank_at, coalesce(t.queued_at, w.rank_at)) as since
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join task_wait w force index (primary) on w.task_id = t.id
             where w.awaited = concat('selector:', t.selector)
            """;

    private static final String WOKEN = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_wait w force index (primary) on w.task_id = v.id
               set w.woken_at = utc_timestamp(3)
            """;
    private static final String FORGET = """
            delete w from json_table(:ids, '$[*]' columns (id bigint path '$')) v
                   straight_join task_wait w force index (primary) on w.task_id = v.id
            """;
    /** Delete of rows whose task is gone, executing, or held by something other than its group. */
    private static final String FORGET_STALE = FORGET + """
                   left join task t on t.id = v.id
             where t.id is null or w.awaited like 'group:%' and (t.state = 'EXECUTING' or t.hold <> 'GROUP')
            """;
    /** Condition on a row {@code task_wait w}: it was woken, and may be expected to come. */
    public static final String FRESH = "w.woken_at > utc_timestamp(3) - interval 2 second";
    /**
     * Condition on {@code task t} of a row {@code task_wait w} for a group: it has a claim to a free slot. One that was
     * woken and does not come (its only node is full, or nobody understands it) keeps its rank, but holds back nobody:
     * it is due, and takes part again when it comes.
     */
    public static final String GROUP = "t.state <> 'EXECUTING' and (" + HoldStore.is(Hold.GROUP)
            + " or t.hold is null and coalesce(" + FRESH + ", true))";

    private Waits() {}

    /** Inserts waits of tasks that are held for their group. */
    static void forGroup(Handle handle, List<Decided> held) {
        if (!held.isEmpty()) {
            update(
                    handle,
                    FOR_GROUP,
                    "rows",
                    JsonRows.of(
                            held,
                            d -> row(
                                    d.claim().id(),
                                    d.claim().policy().group(),
                                    d.row().task().priorityIn(d.claim().policy().priority()))));
        }
    }

    /** Gives tasks the place of those that they replace and whose wait they continue, or no newest would ever start. */
    static void inherit(Handle handle, List<Displacement> replaced) {
        if (!replaced.isEmpty()) {
            update(
                    handle,
                    INHERIT,
                    "rows",
                    JsonRows.of(replaced, d -> row(d.by().id(), d.task().id())));
        }
    }

    /** Inserts waits of tasks that are held for a node; one that waited for the same before keeps its place. */
    static void forNode(Handle handle, Collection<Long> tasks) {
        change(handle, FOR_NODE, tasks);
    }

    /** Returns since when these have waited for the nodes that they need now; those that have not are left out. */
    static Map<Long, Instant> forNodeSince(Handle handle, Collection<Long> tasks) {
        Map<Long, Instant> since = new HashMap<>();
        query(handle, FOR_NODE_SINCE, "ids", JsonRows.ids(tasks))
                .map((row, context) -> since.put(row.getLong("task_id"), SqlTime.read(row, "since")))
                .list();
        return since;
    }

    /** Marks these as on their way: while that is fresh, each takes a slot of its group. */
    public static void woken(Handle handle, Collection<Long> tasks) {
        change(handle, WOKEN, tasks);
    }

    /** Deletes the waits of these tasks. */
    public static void forget(Handle handle, Collection<Long> tasks) {
        change(handle, FORGET, tasks);
    }

    /** Deletes the waits of those that do not wait for a group, by their rows. */
    public static void forgetStale(Handle handle, Collection<Long> tasks) {
        change(handle, FORGET_STALE, tasks);
    }

    private static void change(Handle handle, String sql, Collection<Long> tasks) {
        if (!tasks.isEmpty()) {
            update(handle, sql, "ids", JsonRows.ids(tasks));
        }
    }
}
