package dev.rowlock.store.alert;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.db.Database;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.job.AlertFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was raised, and what became of its messages; for people. For use by several threads. */
public final class AlertQueries {

    private static final String FIND = "select " + AlertRows.COLUMNS + """
              from alert a force index (%s)
             where (:before is null or a.id < :before) and (:rule is null or a.rule = :rule)
               and (:namespace is null or a.namespace = :namespace) and (:job is null or a.job = :job) and %s and %s
             order by a.id desc limit :most
            """;
    private static final String MESSAGES = """
            select p.alert_id, p.kind, m.uid, m.channel, m.state, m.attempts, m.next_at, m.sent_at, m.last_error
              from json_table(:ids, '$[*]' columns (id bigint path '$')) v
              straight_join alert_part p force index (by_alert) on p.alert_id = v.id
              straight_join alert_message m on m.id = p.message_id
             order by p.alert_id, m.id
            """;

    private final Database database;

    public AlertQueries(Database database) {
        this.database = database;
    }

    /** One way in which an alert is told. */
    public record Message(
            String kind,
            String id,
            String channel,
            String state,
            int attempts,
            @Nullable Instant nextAt,
            @Nullable Instant sentAt,
            @Nullable String lastError) {}

    /** An alert with its messages. */
    public record Listed(RaisedAlert alert, List<Message> messages) {}

    public List<Listed> find(AlertFilter filter) {
        List<RaisedAlert> alerts = database.autoCommit(
                "listing alerts",
                handle -> query(handle, FIND.formatted(index(filter), condition(filter.state()), reach(filter)))
                        .bind("before", filter.before())
                        .bind("rule", filter.rule())
                        .bind("namespace", filter.namespace())
                        .bind("job", filter.job())
                        .bind("most", filter.limit())
                        .map((row, context) -> AlertRows.read(row))
                        .list());
        Map<Long, List<Message>> messages =
                messages(alerts.stream().map(RaisedAlert::id).toList());
        return alerts.stream()
                .map(alert -> new Listed(alert, messages.getOrDefault(alert.id(), List.of())))
                .toList();
    }

    private Map<Long, List<Message>> messages(List<Long> alerts) {
        Map<Long, List<Message>> messages = new HashMap<>();
        if (!alerts.isEmpty()) {
            database.autoCommit(
                    "listing the messages of alerts",
                    handle -> query(handle, MESSAGES, "ids", JsonRows.ids(alerts))
                            .map((row, context) -> messages.computeIfAbsent(
                                            row.getLong("alert_id"), id -> new ArrayList<>())
                                    .add(new Message(
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

    private static String index(AlertFilter filter) {
        AlertFilter.State state = filter.state();
        if (state == AlertFilter.State.OPEN) {
            return "by_close";
        }
        if (state != null && state != AlertFilter.State.CLOSED) {
            return "by_sending";
        }
        return filter.namespace() == null ? "primary" : "by_namespace";
    }

    private static String reach(AlertFilter filter) {
        Set<String> within = filter.within();
        return within.isEmpty() ? "true" : "a.namespace in (" + dev.rowlock.db.Listed.texts(within) + ")";
    }

    private static String condition(AlertFilter.@Nullable State state) {
        if (state == null) {
            return "true";
        }
        return switch (state) {
            case OPEN -> "a.closed_at is null";
            case CLOSED -> "a.closed_at is not null";
            case WAITING, SENT, SILENCED, GIVEN_UP -> "a.sending = '" + state + "'";
        };
    }
}
