package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.alert.store.AlertSearch.AlertMatches;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SizedRows;
import dev.rowlock.db.SqlTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Queries of alerts and their messages, for people. Thread-safe. */
public final class AlertQueries {

    private static final String ROWS =
            "select " + AlertRows.COLUMNS + " from alert a force index (primary) where a.id in (%s) and "
                    + AlertRows.UNDERSTOOD + " order by a.id desc";

    /**
     * Query of alerts, each with the message back to which its messages are read: an open one is told again for months.
     */
    private static final String BACK_TO = """
            (select v.id, (select q.message_id from alert_part q force index (by_alert)
                            where q.alert_id = v.id order by q.message_id desc limit 1 offset :behind) as since
               from json_table(:ids, '$[*]' columns (id bigint path '$')) v) n
            """;

    private static final String MESSAGES = """
            select p.alert_id, p.kind, m.uid, m.channel, m.state, m.attempts, m.next_at, m.sent_at, m.last_error
              from
            """ + BACK_TO + """
              straight_join alert_part p force index (by_alert)
                   on p.alert_id = n.id and p.message_id >= coalesce(n.since, 0)
              straight_join alert_message m on m.id = p.message_id
             order by p.alert_id, m.id
            """;

    private static final String COUNTS = """
            select n.id, (select count(*) from alert_part p force index (by_alert)
                           where p.alert_id = n.id and p.message_id >= coalesce(n.since, 0)) as messages
              from
            """ + BACK_TO;

    /** Characters of one page, give or take one alert. */
    private static final long PAGE_WEIGHT = 1_000_000;

    /** Characters of an alert besides its detail, messages included. */
    private static final int FRAME = 1_000;

    private final Database database;

    public AlertQueries(Database database) {
        this.database = database;
    }

    /** Number of messages that are shown of an alert, the newest. */
    public static final int SHOWN = 5;

    /** Number up to which the messages of an alert are counted. */
    public static final int COUNTED = 1_000;

    /** Message about an alert. */
    public record AlertMessage(
            String kind,
            String id,
            String channel,
            String state,
            int attempts,
            @Nullable Instant nextAt,
            @Nullable Instant sentAt,
            @Nullable String lastError) {}

    /**
     * Alert with its last messages, oldest first.
     *
     * @param total number of its messages, or {@link #COUNTED} if there are more
     */
    public record ListedAlert(RaisedAlert alert, List<AlertMessage> messages, int total) {}

    /**
     * Alerts of one page.
     *
     * @param reached the id down to which all were looked at; null: the page is full, or there are no others
     */
    public record AlertPage(
            Cut<ListedAlert> alerts, @Nullable Long reached) {}

    /**
     * Finds alerts, newest first: at most as many as the filter's limit, fewer if they are large, or if matches are
     * rare.
     */
    public AlertPage find(AlertFilter filter) {
        AlertMatches found =
                database.autoCommit("looking for alerts", handle -> new AlertSearch(handle, filter).find());
        return new AlertPage(read(found.ids()), found.reached());
    }

    private Cut<ListedAlert> read(List<Long> found) {
        if (found.isEmpty()) {
            return new Cut<>(List.of(), false);
        }
        SizedRows<RaisedAlert> alerts = database.autoCommit(
                "listing alerts",
                handle -> SizedRows.read(
                        query(handle, ROWS.formatted(dev.rowlock.db.InList.ids(found))),
                        (row, context) -> AlertRows.read(row),
                        alert -> FRAME + alert.detail().toString().length(),
                        PAGE_WEIGHT));
        List<Long> ids = alerts.rows().stream().map(RaisedAlert::id).toList();
        Map<Long, List<AlertMessage>> messages = messages(ids);
        Map<Long, Integer> counts = counts(ids);
        return Cut.of(
                alerts,
                alert -> new ListedAlert(
                        alert, messages.getOrDefault(alert.id(), List.of()), counts.getOrDefault(alert.id(), 0)));
    }

    private Map<Long, Integer> counts(List<Long> alerts) {
        Map<Long, Integer> counts = new HashMap<>();
        if (!alerts.isEmpty()) {
            database.autoCommit(
                    "counting the messages of alerts",
                    handle -> query(handle, COUNTS, "ids", JsonRows.ids(alerts), "behind", COUNTED - 1)
                            .map((row, context) -> counts.put(row.getLong("id"), row.getInt("messages")))
                            .list());
        }
        return counts;
    }

    private Map<Long, List<AlertMessage>> messages(List<Long> alerts) {
        Map<Long, List<AlertMessage>> messages = new HashMap<>();
        if (!alerts.isEmpty()) {
            database.autoCommit(
                    "listing the messages of alerts",
                    handle -> query(handle, MESSAGES, "ids", JsonRows.ids(alerts), "behind", SHOWN - 1)
                            .map((row, context) -> messages.computeIfAbsent(
                                            row.getLong("alert_id"), id -> new ArrayList<>())
                                    .add(new AlertMessage(
                                            row.getString("kind"),
                                            row.getString("uid"),
                                            row.getString("channel"),
                                            row.getString("state"),
                                            row.getInt("attempts"),
                                            "WAITING".equals(row.getString("state"))
                                                    ? SqlTime.readOrNull(row, "next_at")
                                                    : null,
                                            SqlTime.readOrNull(row, "sent_at"),
                                            row.getString("last_error"))))
                            .list());
        }
        return messages;
    }
}
