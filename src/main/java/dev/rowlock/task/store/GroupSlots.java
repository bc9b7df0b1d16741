package dev.rowlock.task.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.task.rule.GroupOccupancy;
import dev.rowlock.task.rule.GroupOccupancy.GroupWaiter;
import dev.rowlock.task.store.FireDecisions.Decided;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Slots of groups that executing tasks take: the rows of {@code group_slot}. Starting tasks of a group locks its row,
 * after the stripe rows; ending them deletes their slots in the same transaction.
 */
public final class GroupSlots {

    /**
     * Lock by an update: two transactions that only lock a row do not exclude each other where several servers take
     * writes.
     */
    private static final String LOCK = "update job_group set looks = looks + 1 where name = :name";

    private static final String LIMIT = """
            select (select slots from job_group where name = :name) as slots,
                   (select count(*) from group_slot where group_name = :name) as used
            """;
    /** Query without tasks that were woken and have not come, which are in nobody's way, or that no longer wait. */
    private static final String WAITING = """
            select w.task_id, w.rank_at
              from task_wait w force index (by_rank)
              straight_join task t force index (primary) on t.id = w.task_id
             where w.awaited = concat('group:', :name) and %s
             order by w.rank_at, w.task_id limit :most
            """.formatted(Waits.GROUP);

    private static final String CLAIMED = """
            select w.task_id, w.rank_at
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_wait w force index (primary) on w.task_id = v.id
             where w.awaited = concat('group:', :name)
            """;
    private static final String TAKE = """
            insert into group_slot (task_id, launch_id, group_name)
            select v.id, v.launch, v.group_name
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     group_name varchar(64) character set utf8mb4 path '$[2]')) v
            """;
    private static final String FREE = """
            delete s from json_table(:ids, '$[*]' columns (id bigint path '$')) v
                   straight_join group_slot s force index (primary) on s.task_id = v.id
                   left join task t on t.id = v.id
             where t.id is null or t.state <> 'EXECUTING' or t.launch_id <> s.launch_id
            """;

    private GroupSlots() {}

    /** Locks the rows of these groups, and returns their facts. */
    static Map<String, GroupOccupancy> lock(Handle handle, SortedSet<String> names, Collection<Long> claimed) {
        Map<String, GroupOccupancy> facts = new HashMap<>();
        for (String name : names) {
            update(handle, LOCK, "name", name);
            Limit limit = query(handle, LIMIT, "name", name)
                    .map((row, context) -> new Limit((Integer) row.getObject("slots"), row.getInt("used")))
                    .one();
            Map<Long, GroupWaiter> waiting = new HashMap<>();
            if (limit.free() > 0) {
                waiting(handle, WAITING, "name", name, "most", limit.free() + claimed.size())
                        .forEach(w -> waiting.put(w.task(), w));
            }
            waiting(handle, CLAIMED, "name", name, "ids", JsonRows.ids(claimed)).forEach(w -> waiting.put(w.task(), w));
            facts.put(name, new GroupOccupancy(limit.slots, limit.used, List.copyOf(waiting.values())));
        }
        return facts;
    }

    /**
     * Limit of a group.
     *
     * @param slots null: there is no such group
     */
    private record Limit(@Nullable Integer slots, int used) {

        int free() {
            return slots == null ? 0 : Math.max(0, slots - used);
        }
    }

    private static List<GroupWaiter> waiting(Handle handle, String sql, Object... values) {
        return query(handle, sql, values)
                .map((row, context) -> new GroupWaiter(row.getLong("task_id"), SqlTime.read(row, "rank_at")))
                .list();
    }

    /** Takes slots for the tasks that start. */
    static void take(Handle handle, List<Decided> started) {
        if (started.isEmpty()) {
            return;
        }
        update(
                handle,
                TAKE,
                "rows",
                JsonRows.of(
                        started,
                        d -> row(
                                d.claim().id(),
                                d.claim().launch().text(),
                                d.claim().policy().group())));
    }

    /** Frees the slots of tasks that no longer execute; those that are in no group have none. */
    public static void free(Handle handle, Collection<Long> tasks) {
        if (!tasks.isEmpty()) {
            update(handle, FREE, "ids", JsonRows.ids(tasks));
        }
    }
}
