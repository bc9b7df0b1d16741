package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Purge of old alerts, in small batches. Open ones stay without their old messages. */
public final class OldAlerts {

    private static final String ALERTS = """
            select id from alert force index (by_close)
             where closed_at < :before order by closed_at, id limit :most
            """;
    private static final String MESSAGES = """
            select m.id from alert_message m force index (by_age)
             where m.created_at < :before and m.state <> 'WAITING'
             order by m.created_at limit :most
            """;
    /** Deletion of parts, of which a message may have very many. */
    private static final String PARTS = """
            delete from alert_part where message_id = :id order by message_id, alert_id, kind limit :most
            """;

    private static final String SILENCES = "delete from alert_silence where until_at < :before";

    private static final int AT_ONCE = 500;

    private final Database database;

    public OldAlerts(Database database) {
        this.database = database;
    }

    /** Deletes a batch of what was over before a time. Returns whether there may be more. */
    public boolean delete(Instant before) {
        return delete(before, AT_ONCE);
    }

    /** Deletes at most so many alerts, messages, and parts of each. Returns whether there may be more. */
    public boolean delete(Instant before, int most) {
        return database.transact("deleting old alerts", handle -> {
            String time = SqlTime.text(before);
            List<Long> alerts = query(handle, ALERTS, "before", time, "most", most)
                    .mapTo(Long.class)
                    .list();
            delete(handle, "alert_part", "by_alert", "alert_id", alerts);
            delete(handle, "alert", "primary", "id", alerts);
            List<Long> messages = query(handle, MESSAGES, "before", time, "most", most)
                    .mapTo(Long.class)
                    .list();
            List<Long> empty = withoutParts(handle, messages, most);
            delete(handle, "alert_message", "primary", "id", empty);
            update(handle, SILENCES, "before", time);
            return alerts.size() == most || messages.size() == most || empty.size() < messages.size();
        });
    }

    /** Takes at most so many parts out of messages, in order. Returns those left empty. */
    private static List<Long> withoutParts(Handle handle, List<Long> messages, int most) {
        List<Long> empty = new ArrayList<>();
        int left = most;
        for (long message : messages) {
            left -= update(handle, PARTS, "id", message, "most", left);
            if (left == 0) {
                return empty;
            }
            empty.add(message);
        }
        return empty;
    }

    /** Deletes by a join from the list: of a table that has just grown, servers read all rows for an {@code in}. */
    private static void delete(Handle handle, String table, String index, String column, List<Long> ids) {
        update(handle, """
                delete t from json_table(:ids, '$[*]' columns (id bigint path '$')) i
                       straight_join %s t force index (%s) on t.%s = i.id
                """.formatted(table, index, column), "ids", JsonRows.ids(ids));
    }
}
