package dev.rowlock.task.transition;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Database;
import dev.rowlock.db.Locks;
import dev.rowlock.task.store.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removal of rows of {@code task_wait} whose tasks have ended, or wait for something else by now. They are in nobody's
 * way, but count as waiting where people look; ending a held task deletes its row where that is cheap.
 */
public final class StaleWaits {

    private static final String SOME = """
            select w.task_id, w.stripe, t.id is null as gone,
                   w.awaited like 'group:%' and (t.state = 'EXECUTING' or t.hold <> 'GROUP') as elsewhere
              from (select task_id, stripe, awaited from task_wait
                     where task_id > :behind order by task_id limit :batch) w
              left join task t on t.id = w.task_id
             order by w.task_id
            """;

    private static final int BATCH = 500;

    private final Database database;

    public StaleWaits(Database database) {
        this.database = database;
    }

    /**
     * Part of all rows that was looked at.
     *
     * @param end where it ended; 0: that was all
     * @param forgotten how many of its rows were, or may have been
     */
    public record WaitBatch(long end, int forgotten) {}

    /**
     * Looks at one part of the rows.
     *
     * @param behind where the part before this one ended; 0: it begins
     */
    public WaitBatch sweep(long behind) {
        List<Long> gone = new ArrayList<>();
        Map<Long, Integer> elsewhere = new HashMap<>(); // with their stripes
        List<Long> seen = database.autoCommit("looking for what waits no more", handle -> {
            List<Long> ids = query(handle, SOME, "behind", behind, "batch", BATCH)
                    .map((row, context) -> {
                        long id = row.getLong("task_id");
                        if (row.getBoolean("gone")) {
                            gone.add(id);
                        } else if (row.getBoolean("elsewhere")) {
                            elsewhere.put(id, row.getInt("stripe"));
                        }
                        return id;
                    })
                    .list();
            Waits.forget(handle, gone); // an id never comes back
            return ids;
        });
        if (!elsewhere.isEmpty()) {
            database.transact("forgetting what waits for groups no more", handle -> {
                Locks.stripes(handle, Set.copyOf(elsewhere.values()));
                Waits.forgetStale(handle, elsewhere.keySet());
                return elsewhere.size();
            });
        }
        return new WaitBatch(seen.size() < BATCH ? 0 : seen.get(BATCH - 1), gone.size() + elsewhere.size());
    }
}
