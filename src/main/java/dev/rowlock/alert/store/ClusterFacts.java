package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.AlertCondition;
import dev.rowlock.alert.AlertEvent;
import dev.rowlock.calendar.CalendarJobs;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import dev.rowlock.field.Times;
import dev.rowlock.report.count.ClusterHealth.Verification;
import dev.rowlock.report.verify.AccountingQueries;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Events of nodes, the database and the rest of the cluster. */
final class ClusterFacts {

    static final String DATABASE = "database";
    static final String VERIFICATION = "verification";
    static final String TOKEN = "token:";
    static final String CALENDAR = "calendar:";

    /**
     * Query of lost sessions: not one that left, nor one whose node was alive all the time and reports the database.
     */
    private static final String LOST = """
            select id, node, host, gone_at, heartbeat_at, reason from session_log force index (by_end)
             where gone_at > :from and gone_at <= :until
               and reason <> 'stopped in order' and reason not like 'it could not renew%'
             order by gone_at limit 1000
            """;

    private static final String ALIVE = "select node from session";
    private static final String REPORTS =
            "select id, node, from_at, until_at, reason from alert_report order by id limit 1000";
    private static final String FORGET = "delete from alert_report where id in (%s)";
    private static final String EXPIRING = """
            select name, expires_at from api_token
             where expires_at > :now and expires_at <= :until and hash <> '' order by name limit 1000
            """;
    private static final String EXPIRES = "select expires_at from api_token where name = :name and hash <> ''";
    private static final String VERIFIED = "select value from setting where name = :name";

    private final Handle handle;

    ClusterFacts(Handle handle) {
        this.handle = handle;
    }

    /** Time without the database, as one node had it. */
    record Away(long id, String node, Instant from, Instant until, String reason) {

        Duration length() {
            return Duration.between(from, until);
        }
    }

    /** Returns the nodes that were lost since then. */
    List<AlertEvent> lost(Instant from, Instant now) {
        return query(handle, LOST, "from", SqlTime.text(from), "until", SqlTime.text(now))
                .map((row, context) -> {
                    String node = row.getString("node");
                    ObjectNode detail = JsonNodeFactory.instance.objectNode();
                    detail.put("reason", row.getString("reason"));
                    detail.put("host", row.getString("host"));
                    detail.put("heartbeatAt", Times.text(SqlTime.read(row, "heartbeat_at")));
                    return new AlertEvent(
                            AlertCondition.NODE_LOST,
                            "node:" + node,
                            row.getString("id"),
                            null,
                            node,
                            SqlTime.read(row, "gone_at"),
                            detail);
                })
                .list();
    }

    /** Returns the names of live nodes. */
    Set<String> alive() {
        return new TreeSet<>(query(handle, ALIVE).mapTo(String.class).list());
    }

    /** Returns the reports of nodes, to be deleted in the same transaction. */
    List<Away> away() {
        return query(handle, REPORTS)
                .map((row, context) -> new Away(
                        row.getLong("id"),
                        row.getString("node"),
                        SqlTime.read(row, "from_at"),
                        SqlTime.read(row, "until_at"),
                        row.getString("reason")))
                .list();
    }

    void forget(List<Away> reports) {
        InList.change(handle, reports.stream().map(Away::id).toList(), part -> FORGET.formatted(InList.ids(part)));
    }

    /** Creates the event of a whole outage, of which each node has seen a part. */
    static AlertEvent event(Away away) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        detail.put("reason", away.reason());
        detail.put("from", Times.text(away.from()));
        detail.put("until", Times.text(away.until()));
        detail.put("durationMs", away.length().toMillis());
        return new AlertEvent(
                AlertCondition.DATABASE_AWAY, DATABASE, Times.text(away.until()), null, null, away.until(), detail);
    }

    /** Returns the result of the last verification; null if there was none. */
    @Nullable
    Verification verification() {
        return query(handle, VERIFIED, "name", AccountingQueries.VERIFIED)
                .mapTo(String.class)
                .findOne()
                .map(Verification::parse)
                .orElse(null);
    }

    static AlertEvent event(Verification found) {
        ObjectNode detail = JsonNodeFactory.instance.objectNode();
        detail.put("wrong", found.wrong());
        detail.put("jobs", found.jobs());
        return new AlertEvent(
                AlertCondition.VERIFICATION_FAILED,
                VERIFICATION,
                Times.text(found.at()),
                null,
                null,
                found.at(),
                detail);
    }

    /** Returns when this rule last told of an outage. */
    Optional<Instant> lastAway(String rule) {
        return query(
                        handle,
                        "select max(at) as at from alert force index (by_rule) where rule = :rule and kind = :kind",
                        "rule",
                        rule,
                        "kind",
                        AlertCondition.DATABASE_AWAY.name())
                .map((row, context) -> Optional.ofNullable(SqlTime.readOrNull(row, "at")))
                .one();
    }

    /** Returns the tokens that expire until then. */
    List<AlertEvent> expiring(Instant now, Duration ahead) {
        return query(handle, EXPIRING, "now", SqlTime.text(now), "until", SqlTime.text(now.plus(ahead)))
                .map((row, context) -> {
                    Instant expires = SqlTime.read(row, "expires_at");
                    String subject = TOKEN + row.getString("name");
                    ObjectNode detail = JsonNodeFactory.instance
                            .objectNode()
                            .put("token", row.getString("name"))
                            .put("expiresAt", Times.text(expires));
                    return new AlertEvent(
                            AlertCondition.TOKEN_EXPIRING,
                            subject,
                            subject + " " + Times.text(expires),
                            null,
                            null,
                            expires.minus(ahead),
                            detail);
                })
                .list();
    }

    /** Returns the calendars of jobs that have no dates beyond then. */
    List<AlertEvent> ending(Instant now, Duration ahead) {
        return CalendarJobs.ending(handle, now.plus(ahead)).stream()
                .map(calendar -> {
                    String subject = CALENDAR + calendar.name();
                    ObjectNode detail = JsonNodeFactory.instance
                            .objectNode()
                            .put("calendar", calendar.name())
                            .put("knownUntil", calendar.knownUntil().toString());
                    return new AlertEvent(
                            AlertCondition.CALENDAR_ENDS,
                            subject,
                            subject + " " + calendar.knownUntil(),
                            null,
                            null,
                            calendar.knownUntil()
                                    .atStartOfDay(ZoneOffset.UTC)
                                    .toInstant()
                                    .minus(ahead),
                            detail);
                })
                .toList();
    }

    /** Returns when the token of an alert expires; null if it does not, or was deleted. */
    @Nullable
    Instant expires(String subject) {
        return query(handle, EXPIRES, "name", subject.substring(TOKEN.length()))
                .map((row, context) -> Optional.ofNullable(SqlTime.readOrNull(row, "expires_at")))
                .findOne()
                .flatMap(expires -> expires)
                .orElse(null);
    }
}
