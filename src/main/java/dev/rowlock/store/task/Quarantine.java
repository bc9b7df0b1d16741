package dev.rowlock.store.task;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Locks;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Takes rows that cannot go on, and would hold up or spin with the others, out of the scan: idle, due at no time, and saying why in {@code
 * waits_for}. They are taken up again by themselves, see {@link Asides}; a new version of their job, or a call, does so at once.
 */
public final class Quarantine {

    private static final String IDLE = """
            update json_table(:rows, '$[*]' columns (id bigint path '$[0]', version int path '$[1]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
               set t.due_at = null, t.waits_for = :error
             where t.state = 'IDLE' and j.version = v.version
            """;
    private static final String PREPARED = """
            update task
               set state = 'IDLE', launch_id = null, session_id = null, prepared_at = null, due_at = null, waits_for = :error
             where id = :id and state = 'PREPARED' and launch_id = :launch
            """;

    private final Database database;

    public Quarantine(Database database) {
        this.database = database;
    }

    /**
     * An idle row.
     *
     * @param version of its job, when it was found that it cannot go on; a newer one may be better
     */
    public record Row(long id, int version, int shard) {}

    public void idle(Collection<Row> rows, String why) {
        database.transact("setting " + rows.size() + " rows aside", handle -> {
            Locks.shards(handle, rows.stream().map(Row::shard).collect(Collectors.toSet()));
            int changed = handle.createUpdate(IDLE)
                    .bind("rows", JsonRows.of(rows, r -> row(r.id(), r.version())))
                    .bind("error", Waits.error(why))
                    .execute();
            Asides.note(handle, rows.stream().map(Row::id).toList());
            return changed;
        });
    }

    /** A row that was to be fired. */
    public void prepared(Claim claim, String why) {
        database.transact("setting task " + claim.id() + " aside", handle -> {
            Locks.shards(handle, java.util.Set.of(claim.shard()));
            int changed = handle.createUpdate(PREPARED)
                    .bind("id", claim.id())
                    .bind("launch", claim.held().text())
                    .bind("error", Waits.error(why))
                    .execute();
            Asides.note(handle, List.of(claim.id()));
            return changed;
        });
    }
}
