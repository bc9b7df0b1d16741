package dev.rowlock.store;

import java.time.Duration;
import java.util.List;

/** Deletes history that is older than it is to be kept, in small batches by primary key and without any lock row. */
public final class Retention {

    private static final String OLD = """
            select h.id from (select id, ended_at from task_history order by id limit :batch) h
             where h.ended_at < utc_timestamp(3) - interval :seconds second
            """;
    private static final String DELETE_OUTPUT = "delete from task_output where task_id in (<ids>)";
    private static final String DELETE_HISTORY = "delete from task_history where id in (<ids>)";
    private static final String OLD_KEYS = """
            delete from idempotency_key where created_at < utc_timestamp(3) - interval 1 day limit 1000
            """;

    private final Database database;
    private final Requests requests;
    private final Spans spans;

    public Retention(Database database) {
        this.database = database;
        this.requests = new Requests(database);
        this.spans = new Spans(database);
    }

    /**
     * Deletes one batch of the oldest rows, of those that are old enough.
     *
     * @return how many rows were deleted; {@code batch}: there may be more
     */
    public int purge(Duration kept, int batch) {
        List<Long> ids = database.read(
                "looking for old history",
                handle -> handle.createQuery(OLD)
                        .bind("batch", batch)
                        .bind("seconds", kept.toSeconds())
                        .mapTo(Long.class)
                        .list());
        if (!ids.isEmpty()) {
            database.transact("deleting old history", handle -> {
                handle.createUpdate(DELETE_OUTPUT).bindList("ids", ids).execute();
                return handle.createUpdate(DELETE_HISTORY).bindList("ids", ids).execute();
            });
        }
        return ids.size();
    }

    /** Forgets what was noted of rows that are no longer kept. */
    public void forgetSpans(Duration kept) {
        spans.forget(kept);
    }

    /** Forgets answered and abandoned requests. */
    public void tidy() {
        database.read(
                "forgetting old idempotency keys",
                handle -> handle.createUpdate(OLD_KEYS).execute());
        requests.forgetOld();
    }
}
