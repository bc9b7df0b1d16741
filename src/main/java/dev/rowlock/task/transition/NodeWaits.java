package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import dev.rowlock.task.store.PauseSql;
import dev.rowlock.task.store.Waits;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Wake-ups of tasks that wait for a node which may run them, once there is one. */
public final class NodeWaits {

    /** Condition that there are any. */
    public static final String ANY = "exists (select 1 from task_wait where awaited like 'selector:%')";

    private static final String AWAITED = "select distinct awaited from task_wait where awaited like 'selector:%'";
    private static final String WAITING = """
            select task_id, stripe from task_wait where awaited in (<awaited>) limit :batch
            """;
    private static final String WAKE = """
            update json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
               set %s
             where t.state = 'IDLE' and t.hold = 'NODE'
            """.formatted(PauseSql.orDue("utc_timestamp(3)"));
    private static final int BATCH = 500;
    private static final String SELECTOR = "selector:";

    private final Database database;

    public NodeWaits(Database database) {
        this.database = database;
    }

    /** Returns the selectors that tasks wait for. */
    public Set<Integer> awaited() {
        return database.autoCommit(
                "reading what tasks wait for",
                handle -> handle.createQuery(AWAITED).mapTo(String.class).stream()
                        .map(awaited -> Integer.valueOf(awaited.substring(SELECTOR.length())))
                        .collect(Collectors.toSet()));
    }

    /**
     * Makes due, batch by batch, what waits for a node that one of these selectors matches.
     *
     * @return how many
     */
    public int wake(Collection<Integer> selectors) {
        int all = 0;
        int woken = selectors.isEmpty() ? 0 : BATCH;
        while (woken == BATCH) {
            woken = wakeBatch(selectors);
            all += woken;
        }
        return all;
    }

    private int wakeBatch(Collection<Integer> selectors) {
        Map<Long, Integer> batch = new HashMap<>(); // with their stripes
        database.autoCommit(
                "looking for what waits for a node",
                handle -> handle.createQuery(WAITING)
                        .bindList(
                                "awaited",
                                selectors.stream().map(id -> SELECTOR + id).toList())
                        .bind("batch", BATCH)
                        .map((row, context) -> batch.put(row.getLong("task_id"), row.getInt("stripe")))
                        .list());
        if (!batch.isEmpty()) {
            database.transact("waking " + batch.size() + " tasks", handle -> {
                Locks.stripes(handle, Set.copyOf(batch.values()));
                update(handle, WAKE, "ids", JsonRows.ids(batch.keySet()));
                Waits.forget(handle, batch.keySet());
                return batch.size();
            });
        }
        return batch.size();
    }
}
