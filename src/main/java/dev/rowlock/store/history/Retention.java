package dev.rowlock.store.history;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Deletes what is old enough, oldest first, in small batches, without any lock row. One node at a time, by a claim that
 * ends by itself: two at once would do no harm, only the same work.
 */
public final class Retention {

    /** The name of the setting up to which history was purged, below which accounting does not go. */
    static final String PURGED = "history-purged";

    private static final String CLAIM = "retention-claim";
    private static final Duration CLAIMED_FOR = Duration.ofMinutes(1);
    /** The kept output of a batch, as it goes through the server's logs as a whole. */
    private static final long MOST_BYTES = 4 << 20;

    private static final String SEEN = """
            select s.value, exists (select 1 from session o where o.id = substring_index(s.value, ' ', 1)) as owned,
                   utc_timestamp(3) as now
              from (select coalesce((select value from setting where name = :name), '') as value) s
            """;
    private static final String FIRST = "insert ignore into setting (name, value) values (:name, '')";
    private static final String TAKE = "update setting set value = :fresh where name = :name and value = :seen";
    private static final String GIVE_BACK =
            "update setting set value = '' where name = :name and value like concat(:session, ' %')";
    private static final String NOTE = """
            insert into setting (name, value) values (:name, :before)
            on duplicate key update value = greatest(value, :before)
            """;

    private final Database database;

    public Retention(Database database) {
        this.database = database;
    }

    /** The tables whose rows grow old. */
    public enum Table {
        /** Kept output of commands; goes by its own age, as it may come later than the row of history. */
        OUTPUT("task_output", "by_written_at", "written_at", "total_bytes - cut_bytes"),
        HISTORY("task_history", "by_ended_at", "ended_at", "0"),
        /** What was noted of rows that stand for several fire times, see {@link Spans}. */
        SPAN("task_span", "by_age", "ended_at", "0"),
        IDEMPOTENCY_KEY("idempotency_key", "by_age", "created_at", "0");

        private final String next;
        private final String delete;

        Table(String table, String index, String age, String bytes) {
            this.next = "select " + age + " as at, " + bytes + " as bytes from " + table + " force index (" + index
                    + ") where " + age + " >= :floor and " + age + " < :before order by " + age + " limit :most";
            this.delete = "delete from " + table + " where " + age + " >= :floor and " + age + " <= :through order by "
                    + age + " limit :most";
        }
    }

    /**
     * What one batch has done.
     *
     * @param through nothing older is left, but for what is as old to the millisecond
     * @param more whether there may be more that is old enough
     */
    public record Batch(int deleted, Instant through, boolean more) {}

    private record Seen(String value, boolean owned, Instant now) {

        /** Nobody holds the claim: it was given back or ran out, its session is gone, or the clock was wrong. */
        boolean isFree(String session) {
            if (!owned || value.startsWith(session + " ")) {
                return true;
            }
            String until = value.substring(value.indexOf(' ') + 1);
            return until.compareTo(SqlTime.text(now)) <= 0 || until.compareTo(SqlTime.text(now.plus(CLAIMED_FOR))) > 0;
        }
    }

    /** Claims, or goes on claiming, retention for a minute. False: another live session does it. */
    public boolean claim(String session) {
        return database.transact("claiming retention", handle -> {
            Seen seen = query(handle, SEEN, "name", CLAIM)
                    .map((row, context) ->
                            new Seen(row.getString("value"), row.getBoolean("owned"), SqlTime.read(row, "now")))
                    .one();
            if (!seen.isFree(session)) {
                return false;
            }
            update(handle, FIRST, "name", CLAIM);
            return handle.createUpdate(TAKE)
                            .bind(
                                    "fresh",
                                    session + " " + SqlTime.text(seen.now().plus(CLAIMED_FOR)))
                            .bind("name", CLAIM)
                            .bind("seen", seen.value())
                            .execute()
                    == 1;
        });
    }

    /** Lets another session have the claim. */
    public void giveBack(String session) {
        database.transact(
                "giving retention back", handle -> update(handle, GIVE_BACK, "name", CLAIM, "session", session));
    }

    /** Notes, before the first row goes, that history which ended before this is not to be asked for any more. */
    public void note(Instant before) {
        database.transact(
                "noting what is purged",
                handle -> update(handle, NOTE, "name", PURGED, "before", SqlTime.text(before)));
    }

    /** Before when ended history is purged; the epoch if nothing was yet. */
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
     * @param floor nothing older is there, as far as is known: what is not purged yet is not read again
     * @param most so many rows
     */
    public Batch delete(Table table, Instant floor, Instant before, int most) {
        return database.transact("deleting what is old", handle -> {
            List<Next> next = handle.createQuery(table.next)
                    .bind("floor", SqlTime.text(floor))
                    .bind("before", SqlTime.text(before))
                    .bind("most", most)
                    .map((row, context) -> new Next(SqlTime.read(row, "at"), row.getLong("bytes")))
                    .list();
            int rows = within(next);
            if (rows == 0) {
                return new Batch(0, floor, false);
            }
            Instant through = next.get(rows - 1).at();
            int deleted = handle.createUpdate(table.delete)
                    .bind("floor", SqlTime.text(floor))
                    .bind("through", SqlTime.text(through))
                    .bind("most", rows)
                    .execute();
            return new Batch(deleted, through, rows < next.size() || next.size() == most);
        });
    }

    private record Next(Instant at, long bytes) {}

    /** How many of the first ones a batch may hold by their size; one at the least. */
    private static int within(List<Next> next) {
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
