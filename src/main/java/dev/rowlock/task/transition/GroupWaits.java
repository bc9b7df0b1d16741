package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.task.Hold;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.store.HoldStore;
import dev.rowlock.task.store.Waits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Wake-ups of tasks that wait for a group, as its slots become free, in their order. */
public final class GroupWaits {

    public static final String GROUPS = """
            select g.name, g.slots - (select count(*) from group_slot s where s.group_name = g.name) as free
              from job_group g
             where exists (select 1 from task_wait w where w.awaited = concat('group:', g.name))
            """;
    private static final String FREE_OF = """
            select g.name, cast(g.slots as signed)
                   - (select count(*) from group_slot s where s.group_name = g.name) as free
              from job_group g where g.name in (<names>)
            """;
    /**
     * Query in which a woken task counts as taking a slot until it has had its chance, and tasks that no longer wait
     * are passed over.
     */
    public static final String NEXT = """
            select w.task_id, t.job_id, t.job_version, w.stripe, coalesce(%s, false) as woken
              from task_wait w force index (by_rank)
              straight_join task t force index (primary) on t.id = w.task_id
             where w.awaited = concat('group:', :name) and %s
             order by w.rank_at, w.task_id limit :most
            """.formatted(Waits.FRESH, Waits.GROUP);

    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
               set t.due_at = utc_timestamp(3), t.hold = null, t.hold_reason = null
             where t.state = 'IDLE' and %s
            """.formatted(HoldStore.is(Hold.GROUP));
    /** Slots whose task does not execute: a node of the previous version ended it. */
    private static final String LEFT_OVER = """
            select s.task_id, coalesce(t.stripe, mod(s.task_id, 64)) as stripe
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

    /**
     * Wakes as many as there are free slots.
     *
     * @return how many
     */
    public int wake() {
        List<TaskRef> next = database.autoCommit("looking for what waits for a group", handle -> {
            Map<String, Integer> free = new HashMap<>();
            query(handle, GROUPS)
                    .map((row, context) -> free.put(row.getString("name"), row.getInt("free")))
                    .list();
            return asleep(handle, free);
        });
        return next.isEmpty() ? 0 : wake(next);
    }

    /**
     * Returns the tasks that are first once tasks of these groups have ended.
     *
     * @param ended how many of each
     */
    static List<TaskRef> after(Database database, Map<String, Integer> ended) {
        if (ended.isEmpty()) {
            return List.of();
        }
        return database.autoCommit("looking for what waits for the slots of groups", handle -> {
            Map<String, Integer> free = new HashMap<>();
            handle.createQuery(FREE_OF)
                    .bindList("names", List.copyOf(ended.keySet()))
                    .map((row, context) -> {
                        String name = row.getString("name");
                        return free.put(name, row.getInt("free") + ended.getOrDefault(name, 0));
                    })
                    .list();
            return asleep(handle, free);
        });
    }

    /** Returns those of the first tasks of each group, as many as it has slots, that were not woken yet. */
    private static List<TaskRef> asleep(Handle handle, Map<String, Integer> free) {
        Map<String, String> names = new HashMap<>();
        StringJoiner sql = new StringJoiner(" union all ");
        free.forEach((group, slots) -> {
            if (slots > 0) {
                String name = "name" + names.size();
                names.put(name, group);
                sql.add("(" + NEXT.replace(":name", ":" + name).replace(":most", String.valueOf(slots)) + ")");
            }
        });
        return names.isEmpty()
                ? List.of()
                : handle
                        .createQuery(sql.toString())
                        .bindMap(names)
                        .map((row, context) ->
                                row.getBoolean("woken") ? Optional.<TaskRef>empty() : Optional.of(ref(row)))
                        .list()
                        .stream()
                        .flatMap(Optional::stream)
                        .toList();
    }

    private static TaskRef ref(ResultSet row) throws SQLException {
        return new TaskRef(
                row.getLong("task_id"), row.getLong("job_id"), row.getInt("job_version"), row.getInt("stripe"), null);
    }

    private int wake(List<TaskRef> waiters) {
        return database.transact("waking " + waiters.size() + " tasks of groups", handle -> {
            Locks.stripes(handle, waiters.stream().map(TaskRef::stripe).collect(Collectors.toSet()));
            List<Long> ids = waiters.stream().map(TaskRef::id).toList();
            int woken = update(handle, WAKE, "ids", JsonRows.ids(ids));
            Waits.forgetStale(handle, ids);
            Waits.woken(handle, ids);
            return woken;
        });
    }

    /** Frees slots left by nodes that know no groups. */
    public int sweep() {
        Map<Long, Integer> left = new HashMap<>();
        database.autoCommit(
                "looking for slots that were left over",
                handle -> query(handle, LEFT_OVER)
                        .map((row, context) -> left.put(row.getLong("task_id"), row.getInt("stripe")))
                        .list());
        return left.isEmpty()
                ? 0
                : database.transact("freeing " + left.size() + " slots of groups", handle -> {
                    Locks.stripes(handle, Set.copyOf(left.values()));
                    return update(handle, FREE, "ids", JsonRows.ids(left.keySet()));
                });
    }
}
