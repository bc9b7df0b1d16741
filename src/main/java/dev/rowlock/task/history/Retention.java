package dev.rowlock.task.history;

import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Deletion of what is old enough, oldest first, in small batches, without any lock row. One node at a time, by a claim
 * that expires: two at once would do no harm, only the same work.
 */
public final class Retention {

    /** Name of the setting up to which history was purged, below which accounting does not go. */
    static final String PURGED = "history-purged";

    private static final String CLAIM = "retention-claim";
    /** Bound on the kept output of a batch, as it goes through the server's logs as a whole. */
    private static final long MOST_BYTES = 4 << 20;

    private static final String NOTE = """
            insert into setting (name, value) values (:name, :before)
            on duplicate key update value = greatest(value, :before)
            """;

    private final Database database;
    private final SoleClaim claim;

    public Retention(Database database) {
        this.database = database;
        this.claim = new SoleClaim(database, CLAIM);
    }

    /** Tables whose rows grow old. */
    public enum AgingTable {
        /** Kept output of commands; deleted by its own age, as it may come later than the row of history. */
        OUTPUT("task_output", "by_written_at", "written_at", "total_bytes - cut_bytes"),
        HISTORY("task_history", "by_ended_at", "ended_at", "0"),
        /** Notes of rows that stand for several fire times, see {@link Spans}. */
        SPAN("task_span", "by_age", "ended_at", "0"),
        FREEZE("freeze", "by_end", "until_at", "0"),
        IDEMPOTENCY_KEY("idempotency_key", "by_age", "created_at", "0"),
        AUDIT("audit", "by_at", "at", "coalesce(length(was), 0) + coalesce(length(became), 0)");

        private final String next;
        private final String delete;

        AgingTable(String table, String index, String age, String bytes) {
            this.next = "select " + age + " as at, " + bytes + " as bytes from " + table + " force index (" + index
                    + ") where " + age + " >= :floor and " + age + " < :before order by " + age + " limit :most";
            this.delete = "delete from " + table + " where " + age + " >= :floor and " + age + " <= :through order by "
                    + age + " limit :most";
        }
    }

    /**
     * Result of one batch.
     *
     * @param through nothing older is left, except what is as old to the millisecond
     * @param more whether there may be more that is old enough
     */
    public record DeletedBatch(int deleted, Instant through, boolean more) {}

    /** Returns the claim to the deletion. */
    public SoleClaim claim() {
        return claim;
    }

    /** Notes, before the first row is deleted, that history which ended before this is no longer to be queried. */
    public void note(Instant before) {
        database.transact(
                "noting what is purged",
                handle -> update(handle, NOTE, "name", PURGED, "before", SqlTime.text(before)));
    }

    /** Returns the time before which ended history is purged; the epoch if nothing was yet. */
    public static Instant purged(Handle handle) {
        return handle.createQuery("select cast(value as datetime(3)) as at from setting where name = :name")
                .bind("name", PURGED)
                .map((row, context) -> SqlTime.read(row, "at"))
                .findOne()
                .orElse(Instant.EPOCH);
    }

    /**
     * Deletes the oldest of what is older than {@code before}.
     *
     * @param floor nothing older exists, as far as is known: what is not purged yet is not read again
     * @param most bound on rows
     */
    public DeletedBatch delete(AgingTable table, Instant floor, Instant before, int most) {
        return database.transact("deleting what is old", handle -> {
            List<AgedRow> next = handle.createQuery(table.next)
                    .bind("floor", SqlTime.text(floor))
                    .bind("before", SqlTime.text(before))
                    .bind("most", most)
                    .map((row, context) -> new AgedRow(SqlTime.read(row, "at"), row.getLong("bytes")))
                    .list();
            int rows = within(next);
            if (rows == 0) {
                return new DeletedBatch(0, floor, false);
            }
            Instant through = next.get(rows - 1).at();
            int deleted = handle.createUpdate(table.delete)
                    .bind("floor", SqlTime.text(floor))
                    .bind("through", SqlTime.text(through))
                    .bind("most", rows)
                    .execute();
            return new DeletedBatch(deleted, through, rows < next.size() || next.size() == most);
        });
    }

    private record AgedRow(Instant at, long bytes) {}

    /** Returns how many of the first ones a batch may hold by their size; at least one. */
    private static int within(List<AgedRow> next) {
        long bytes = 0;
        for (int i = 0; i < next.size(); i++) {
            bytes += next.get(i).bytes();
            if (bytes > MOST_BYTES && i > 0) {
                return i;
            }
        }
        return next.size();
    }
}
