package dev.rowlock.store.alert;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.Database;
import dev.rowlock.db.Listed;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.List;

/** Deletes what was told long ago, in small batches. What is open, or still to be sent, stays. */
public final class OldAlerts {

    private static final String ALERTS = """
            select id from alert force index (by_close)
             where closed_at < :before order by closed_at, id limit :most
            """;
    /** Its parts go with their alerts, of which there may be very many. */
    private static final String MESSAGES = """
            select m.id from alert_message m force index (by_age)
             where m.created_at < :before and m.state <> 'WAITING'
               and not exists (select 1 from alert_part p where p.message_id = m.id)
             order by m.created_at limit :most
            """;

    private static final String SILENCES = "delete from alert_silence where until_at < :before";

    private final Database database;

    public OldAlerts(Database database) {
        this.database = database;
    }

    /** Deletes at most so many alerts, and as many messages. Answers whether there may be more. */
    public boolean delete(Instant before, int most) {
        return database.transact("deleting old alerts", handle -> {
            String time = SqlTime.text(before);
            List<Long> alerts = query(handle, ALERTS, "before", time, "most", most)
                    .mapTo(Long.class)
                    .list();
            Listed.change(handle, alerts, part -> in("alert_part where alert_id", part));
            Listed.change(handle, alerts, part -> in("alert where id", part));
            List<Long> messages = query(handle, MESSAGES, "before", time, "most", most)
                    .mapTo(Long.class)
                    .list();
            Listed.change(handle, messages, part -> in("alert_message where id", part));
            update(handle, SILENCES, "before", time);
            return alerts.size() == most || messages.size() == most;
        });
    }

    private static String in(String what, List<Long> ids) {
        return "delete from " + what + " in (" + Listed.ids(ids) + ")";
    }
}
