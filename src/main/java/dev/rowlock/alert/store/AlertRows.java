package dev.rowlock.alert.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertEvent;
import dev.rowlock.alert.AlertEvent.JobPlace;
import dev.rowlock.alert.Evaluating;
import dev.rowlock.alert.Evaluating.Alert;
import dev.rowlock.alert.Evaluating.Told;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.alert.RuleBook;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.JobKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Rows of {@code alert}, within the transaction that holds the state of alerts. */
final class AlertRows {

    /** Columns of {@code alert a}. */
    static final String COLUMNS = """
            a.id, a.rule, a.kind, a.subject, a.event, a.job_id, a.namespace, a.job, a.task_id, a.node, a.labels,
                   a.detail, a.at, a.raised_at, a.closed_at, a.closed_why, a.sending
            """;

    /** Condition on {@code alert a}: this version knows its kind. Others are left to nodes of the version that does. */
    static final String UNDERSTOOD = Arrays.stream(AlertCondition.values())
            .map(condition -> "'" + condition + "'")
            .collect(Collectors.joining(", ", "a.kind in (", ")"));

    /** Condition on {@code alert a}: it is of a later version. */
    static final String OF_LATER_VERSION = UNDERSTOOD.replace("a.kind in", "a.kind not in");

    private static final String OPEN = "select " + COLUMNS + """
              from json_table(:subjects, '$[*]' columns (
                     subject varchar(250) character set utf8mb4 collate utf8mb4_bin path '$[0]')) s
              straight_join alert a force index (by_subject) on a.subject = s.subject and a.closed_at is null
             where %s
             order by a.id
            """.formatted(UNDERSTOOD);
    private static final String KNOWN = """
            select a.rule, a.kind, a.event
              from json_table(:events, '$[*]' columns (
                     event varchar(120) character set utf8mb4 collate utf8mb4_bin path '$[0]')) e
              straight_join alert a force index (one_event) on a.event = e.event
             where %s
            """.formatted(UNDERSTOOD);
    private static final String INSERT = """
            insert into alert (rule, kind, subject, event, job_id, namespace, job, task_id, node, labels, detail, at,
                   raised_at, closed_at, closed_why, remind_at, sending)
            select v.rule, v.kind, v.subject, v.event, v.job_id, v.namespace, v.job, v.task_id, v.node, v.labels,
                   v.detail, v.at, utc_timestamp(3), if(v.why is null, null, utc_timestamp(3)), v.why, v.remind_at,
                   v.sending
              from json_table(:rows, '$[*]' columns (
                     rule varchar(64) character set utf8mb4 path '$[0]',
                     kind varchar(24) character set ascii path '$[1]',
                     subject varchar(250) character set utf8mb4 path '$[2]',
                     event varchar(120) character set utf8mb4 path '$[3]',
                     job_id bigint path '$[4]', namespace varchar(64) character set utf8mb4 path '$[5]',
                     job varchar(128) character set utf8mb4 path '$[6]', task_id bigint path '$[7]',
                     node varchar(64) character set utf8mb4 path '$[8]',
                     labels text character set utf8mb4 path '$[9]',
                     detail text character set utf8mb4 path '$[10]',
                     at varchar(23) character set ascii path '$[11]',
                     why varchar(16) character set ascii path '$[12]',
                     remind_at varchar(23) character set ascii path '$[13]',
                     sending varchar(10) character set ascii path '$[14]')) v
            """;
    private static final String IDS = """
            select a.id, a.rule, a.kind, a.event
              from json_table(:rows, '$[*]' columns (
                     rule varchar(64) character set utf8mb4 collate utf8mb4_bin path '$[0]',
                     kind varchar(24) character set ascii collate ascii_bin path '$[1]',
                     event varchar(120) character set utf8mb4 collate utf8mb4_bin path '$[3]')) v
              straight_join alert a force index (one_event)
                 on a.event = v.event and a.rule = v.rule and a.kind = v.kind
            """;
    private static final String CLOSE = """
            update alert set closed_at = utc_timestamp(3), closed_why = '%s', remind_at = null
             where id in (%s) and closed_at is null
            """;

    private AlertRows() {}

    private record AlertKey(String rule, String kind, String event) {}

    /** Adds the open alerts of these subjects to the evaluation. */
    static void open(Handle handle, Collection<String> subjects, Evaluating to) {
        query(handle, OPEN, "subjects", JsonRows.of(subjects, JsonRows::row))
                .map((row, context) -> alert(row))
                .forEach(to::found);
    }

    /** Adds those of these events that were announced before to the evaluation. */
    static void known(Handle handle, Collection<String> events, Evaluating to) {
        if (events.isEmpty()) {
            return;
        }
        query(handle, KNOWN, "events", JsonRows.of(events, JsonRows::row))
                .map((row, context) -> {
                    to.known(
                            row.getString("rule"),
                            AlertCondition.valueOf(row.getString("kind")),
                            row.getString("event"));
                    return true;
                })
                .list();
    }

    /** Stores raised and closed alerts, with their messages. */
    static void write(Handle handle, RuleBook book, Instant now, Evaluating evaluated) {
        insert(handle, book, now, evaluated);
        Map<String, List<Long>> closed = new HashMap<>();
        evaluated
                .closed()
                .forEach(alert -> closed.computeIfAbsent(
                                Objects.requireNonNull(alert.closedWhy()), why -> new ArrayList<>())
                        .add(alert.id()));
        closed.forEach((why, ids) -> InList.change(handle, ids, part -> CLOSE.formatted(why, InList.ids(part))));
        evaluated.told().stream()
                .filter(told ->
                        told.kind() == PartKind.RECOVERED && told.alert().id() != 0)
                .map(Told::alert)
                .forEach(alert -> update(
                        handle,
                        "update alert set detail = :detail where id = :id",
                        "id",
                        alert.id(),
                        "detail",
                        alert.event().detail().toString()));
        new Grouping(handle, now).add(evaluated.told());
    }

    private static void insert(Handle handle, RuleBook book, Instant now, Evaluating evaluated) {
        List<Alert> raised = evaluated.raised();
        if (raised.isEmpty()) {
            return;
        }
        String rows = JsonRows.of(raised, alert -> columns(alert, book, now));
        update(handle, INSERT, "rows", rows);
        Map<AlertKey, Long> ids = new HashMap<>();
        query(handle, IDS, "rows", rows)
                .map((row, context) -> ids.put(
                        new AlertKey(row.getString("rule"), row.getString("kind"), row.getString("event")),
                        row.getLong("id")))
                .list();
        raised.forEach(alert -> alert.storedAs(Objects.requireNonNull(ids.get(new AlertKey(
                alert.rule(), alert.event().condition().name(), alert.event().event())))));
    }

    private static List<@Nullable Object> columns(Alert alert, RuleBook book, Instant now) {
        AlertEvent event = alert.event();
        JobPlace job = event.job();
        Instant reminder = alert.closedWhy() != null
                ? null
                : book.find(alert.rule())
                        .map(named -> Evaluating.reminder(named, now))
                        .orElse(null);
        boolean told = book.find(alert.rule())
                .map(named -> named.rule().when().contains(event.condition()))
                .orElse(false);
        return row(
                alert.rule(),
                event.condition().name(),
                event.subject(),
                event.event(),
                job == null ? null : job.id(),
                job == null ? null : job.key().namespace(),
                job == null ? null : job.key().name(),
                job == null ? null : job.task(),
                event.node(),
                job == null ? null : JsonRows.text(job.labels()),
                event.detail().toString(),
                SqlTime.text(event.at()),
                alert.closedWhy(),
                SqlTime.textOrNull(told ? reminder : null),
                told ? "WAITING" : "NONE");
    }

    private static Alert alert(ResultSet row) throws SQLException {
        RaisedAlert stored = read(row);
        JobKey key = stored.job();
        Long jobId = stored.jobId();
        return new Alert(
                stored.id(),
                stored.rule(),
                new AlertEvent(
                        stored.condition(),
                        stored.subject(),
                        row.getString("event"),
                        key == null || jobId == null ? null : new JobPlace(jobId, key, stored.labels(), stored.task()),
                        stored.node(),
                        stored.at(),
                        stored.detail()));
    }

    static RaisedAlert read(ResultSet row) throws SQLException {
        String namespace = row.getString("namespace");
        return new RaisedAlert(
                row.getLong("id"),
                row.getString("rule"),
                AlertCondition.valueOf(row.getString("kind")),
                row.getString("subject"),
                (Long) row.getObject("job_id"),
                namespace == null ? null : new JobKey(namespace, row.getString("job")),
                JsonRows.texts(row, "labels"),
                (Long) row.getObject("task_id"),
                row.getString("node"),
                NamedDefinitions.json(row.getString("detail")),
                SqlTime.read(row, "at"),
                SqlTime.read(row, "raised_at"),
                SqlTime.readOrNull(row, "closed_at"),
                row.getString("closed_why"),
                row.getString("sending"));
    }

    /** Reads open alerts {@code a}, joined by id. */
    static List<Alert> open(Handle handle, String where, Object... values) {
        return query(handle, "select " + COLUMNS + " from alert a " + where, values)
                .map((row, context) -> alert(row))
                .list();
    }
}
