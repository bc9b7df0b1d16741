package dev.rowlock.store.task;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.job.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Makes due what waits for a group, as its slots become free: what goes first, first. */
public final class GroupWaits {

    public static final String GROUPS = """
            select g.name, g.slots - (select count(*) from group_slot s where s.group_name = g.name) as free
              from job_group g
             where exists (select 1 from task_wait w where w.awaited = concat('group:', g.name))
            """;
    /** What was woken takes a slot, unless it has not come for long. */
    public static final String NEXT = """
            select task_id, shard, coalesce(woken_at > utc_timestamp(3) - interval 2 second, false) as woken
              from task_wait force index (by_rank)
             where awaited = concat('group:', :name)
             order by rank_at, task_id limit :most
            """;

    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.waits_for = null
             where t.state = 'IDLE' and %s
            """.formatted(Holds.is(Hold.GROUP));
    private static final String NOTE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task_wait w force index (primary) on w.task_id = v.id
               set w.woken_at = utc_timestamp(3)
            """;
    /** Gone, executing, or held by something else since. */
    private static final String FORGET = """
            delete w from json_table(:ids, '$[*]' columns (id bigint path '$')) v
                   straight_join task_wait w force index (primary) on w.task_id = v.id
                   left join task t on t.id = v.id
             where t.id is null or t.state = 'EXECUTING' or t.hold is not null
            """;

    /** Slots whose task does not execute: a node of the version before ended it. */
    private static final String LEFT_OVER = """
            select s.task_id, coalesce(t.shard, mod(s.task_id, 64)) as shard
              from group_slot s
              left join task t on t.id = s.task_id
             where t.id is null or t.state <> 'EXECUTING' or t.launch_id <> s.launch_id
             limit 500
            """;

    private static final String FREE = """
            delete s from json_table(:ids, '$[*]' columns (id bigint path '$')) v
                   straight_join group_slot s force index (primary) on s.task_id = v.id
                   left join task t on t.id = v.id
             where t.id is null or t.state <> 'EXECUTING' or t.launch_id <> s.launch_id
            """;

    private final Database database;

    public GroupWaits(Database database) {
        this.database = database;
    }

    private record Free(String group, int slots) {}

    private record Waiter(long task, int shard, boolean woken) {}

    /**
     * Wakes as many as there are free slots.
     *
     * @return how many
     */
    public int wake() {
        List<Waiter> next = database.autoCommit("looking for what waits for a group", handle -> {
            List<Waiter> found = new ArrayList<>();
            for (Free free : query(handle, GROUPS)
                    .map((row, context) -> new Free(row.getString("name"), row.getInt("free")))
                    .list()) {
                if (free.slots > 0) {
                    found.addAll(query(handle, NEXT, "name", free.group, "most", free.slots)
                            .map((row, context) ->
                                    new Waiter(row.getLong("task_id"), row.getInt("shard"), row.getBoolean("woken")))
                            .list());
                }
            }
            return found;
        });
        List<Waiter> asleep = next.stream().filter(waiter -> !waiter.woken).toList();
        return asleep.isEmpty() ? 0 : wake(asleep);
    }

    private int wake(List<Waiter> waiters) {
        return database.transact("waking " + waiters.size() + " tasks of groups", handle -> {
            Locks.shards(handle, waiters.stream().map(Waiter::shard).collect(Collectors.toSet()));
            String ids = JsonRows.ids(waiters.stream().map(Waiter::task).toList());
            int woken = update(handle, WAKE, "ids", ids);
            update(handle, FORGET, "ids", ids);
            update(handle, NOTE, "ids", ids);
            return woken;
        });
    }

    /** Frees slots that nodes which know no groups have left. */
    public int sweep() {
        List<Waiter> left = database.autoCommit(
                "looking for slots that were left over",
                handle -> query(handle, LEFT_OVER)
                        .map((row, context) -> new Waiter(row.getLong("task_id"), row.getInt("shard"), false))
                        .list());
        return left.isEmpty()
                ? 0
                : database.transact("freeing " + left.size() + " slots of groups", handle -> {
                    Locks.shards(handle, left.stream().map(Waiter::shard).collect(Collectors.toSet()));
                    return update(
                            handle,
                            FREE,
                            "ids",
                            JsonRows.ids(left.stream().map(Waiter::task).toList()));
                });
    }
}
