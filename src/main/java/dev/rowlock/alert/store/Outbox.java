package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.MessagePart;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.db.Database;
import dev.rowlock.db.Decision;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Messages to send. One is claimed, sent, and recorded under its claim; if the session that claimed it is gone, another
 * claims it. A crash between sending and recording sends it twice, under the same id.
 */
public final class Outbox {

    /** Query of due messages. One that a session claimed and is not sending was cut off. */
    private static final String DUE = """
            select m.id, m.channel, m.group_key, m.claim, m.expires_at <= utc_timestamp(3) as expired
              from alert_message m force index (%s)
             where m.state = 'WAITING' and m.next_at <= utc_timestamp(3) and m.channel %s '' and %s not in (%s)
               and (m.session_id is null or m.session_id = :session
                    or not exists (select 1 from session s where s.id = m.session_id))
               and (m.expires_at <= utc_timestamp(3) or m.channel not in (%s))
               and (not exists (select 1 from alert a force index (by_kind) where %6$s)
                    or not exists (select 1 from alert_part p straight_join alert a on a.id = p.alert_id
                                    where p.message_id = m.id and %6$s)
                    or m.next_at <= utc_timestamp(3) - interval 5 minute
                       and exists (select 1 from alert_part p straight_join alert a on a.id = p.alert_id
                                    where p.message_id = m.id and %7$s))
             order by m.next_at, m.id limit 100
            """;

    /** Text that equals no name. */
    private static final String NO_CHANNEL = "'*'";

    private static final String CLAIM = """
            update alert_message set claim = :claim, session_id = :session, attempts = attempts + 1
             where id = :id and state = 'WAITING' and claim <=> :seen
            """;
    private static final String READ = """
            select m.id, m.uid, m.channel, m.url, m.attempts, m.expires_at, utc_timestamp(3) as now,
                   (select count(*) from alert_part p where p.message_id = m.id) as parts
              from alert_message m where m.id = :id and m.claim = :claim
            """;
    private static final String PARTS =
            "select " + AlertRows.COLUMNS + """
                   , p.kind as part
              from alert_part p straight_join alert a on a.id = p.alert_id
             where p.message_id = :id and p.kind in ('RAISED', 'REMINDER', 'RECOVERED') and
            """ + AlertRows.UNDERSTOOD + " order by p.alert_id, p.kind limit :most";
    private static final String SENT = """
            update alert_message
               set state = 'SENT', sent_at = utc_timestamp(3), claim = null, session_id = null, silence_id = null,
                   last_error = null
             where id = :id and claim = :claim
            """;
    private static final String FAILED = """
            update alert_message
               set state = :state, next_at = utc_timestamp(3) + interval :seconds second, claim = null,
                   session_id = null, last_error = left(:error, 500)
             where id = :id and claim = :claim
            """;
    private static final String PUT_OFF = """
            update alert_message m straight_join alert_message f on f.id = :id
               set m.next_at = greatest(m.next_at, utc_timestamp(3) + interval :seconds second)
             where m.channel = f.channel and m.state = 'WAITING' and m.next_at <= utc_timestamp(3) and m.claim is null
               and m.id <> f.id and (m.channel <> '' or m.group_key = f.group_key)
            """;

    /** Query of alerts yet to be told of a message, some at a time: thousands of jobs may share one. */
    private static final String UNTOLD = """
            select distinct p.alert_id from alert_message m straight_join alert_part p on p.message_id = m.id
             where m.id = :id and m.claim = :claim and p.alert_id > :after
             order by p.alert_id limit :most
            """;

    private static final String TELL = """
            update alert set sending = '%1$s'
             where id in (%2$s) and sending not in ('GIVEN_UP', '%1$s')
            """;
    private static final int TOLD_AT_ONCE = 500;
    private static final String GIVEN_UP = "GIVEN_UP";

    private final Database database;

    public Outbox(Database database) {
        this.database = database;
    }

    /** Kind of a message, which determines its destination. */
    public enum MessageKind {
        /** Message for a channel. */
        ALERT("due", "<>", "m.channel"),
        /** Ping for a host. */
        PING("joinable", "=", "m.group_key");

        private final String index;
        private final String compared;
        private final String destination;

        MessageKind(String index, String compared, String destination) {
            this.index = index;
            this.compared = compared;
            this.destination = destination;
        }
    }

    /** Message that may be sent; another node may be faster. */
    public record Due(
            long id,
            String channel,
            String destination,
            @Nullable String claim,
            boolean expired) {

        public boolean isPing() {
            return channel.isEmpty();
        }
    }

    /**
     * Message that this session has claimed.
     *
     * @param uid for the receiver, the same whenever it is sent
     * @param url of a ping
     * @param expiresAt after it, nobody tries again
     * @param parts how many alerts it is about
     * @param now by the database's clock
     */
    public record Claimed(
            long id,
            String claim,
            String uid,
            String channel,
            @Nullable String url,
            int attempts,
            Instant expiresAt,
            Instant now,
            int parts) {}

    /**
     * Returns the due messages of a kind, in the order of their time. One with alerts that only a later version knows
     * is left to nodes of that for five minutes, and then without an end if it has no others.
     *
     * @param busy destinations to which this session is sending something
     * @param left channels whose messages are left to other nodes, until they are to be given up
     */
    public List<Due> due(MessageKind kind, String session, Set<String> busy, Set<String> left) {
        String sql = DUE.formatted(
                kind.index,
                kind.compared,
                kind.destination,
                texts(busy),
                texts(left),
                AlertRows.OF_LATER_VERSION,
                AlertRows.UNDERSTOOD);
        return database.autoCommit(
                "looking for messages to send",
                handle -> query(handle, sql, "session", session)
                        .map((row, context) -> new Due(
                                row.getLong("id"),
                                row.getString("channel"),
                                row.getString(kind == MessageKind.PING ? "group_key" : "channel"),
                                row.getString("claim"),
                                row.getBoolean("expired")))
                        .list());
    }

    private static String texts(Set<String> names) {
        return names.isEmpty() ? NO_CHANNEL : names.stream().map(InList::text).collect(Collectors.joining(","));
    }

    /** Reaches the database, where there may be no tables yet. */
    public void reach() {
        database.autoCommit("looking whether the database answers", SqlTime::now);
    }

    /**
     * Claims a message for this session; returns empty if somebody else was faster, or nobody is to be told any more.
     */
    public Optional<Claimed> claim(Due due, String session, String claim) {
        return database.transact("claiming a message", handle -> {
            if (!due.isPing()) {
                Decision.MESSAGES.exclude(handle);
            }
            if (update(handle, CLAIM, "id", due.id(), "claim", claim, "session", session, "seen", due.claim()) == 0) {
                return Optional.empty();
            }
            if (!due.isPing() && !Silencing.leavesSomething(handle, due.id())) {
                return Optional.empty();
            }
            return query(handle, READ, "id", due.id(), "claim", claim)
                    .map((row, context) -> new Claimed(
                            row.getLong("id"),
                            claim,
                            row.getString("uid"),
                            row.getString("channel"),
                            row.getString("url"),
                            row.getInt("attempts"),
                            SqlTime.read(row, "expires_at"),
                            SqlTime.read(row, "now"),
                            row.getInt("parts")))
                    .findOne();
        });
    }

    /** Returns the first parts of a message that this version knows, without output of commands. */
    public List<MessagePart> parts(long message, int most) {
        return database.autoCommit("reading a message", handle -> parts(handle, message, most));
    }

    static List<MessagePart> parts(Handle handle, long message, int most) {
        return query(handle, PARTS, "id", message, "most", most)
                .map((row, context) -> {
                    RaisedAlert alert = AlertRows.read(row);
                    return new MessagePart(PartKind.valueOf(row.getString("part")), alert, List.of());
                })
                .list();
    }

    /**
     * Records that a message was sent; of its alerts first, so that whoever sends it again after a crash goes on with
     * that.
     *
     * @return false: it is somebody else's by now
     */
    public boolean sent(Claimed message) {
        tellInParts(message, "SENT");
        return database.transact(
                "recording that a message was sent",
                handle -> update(handle, SENT, "id", message.id(), "claim", message.claim()) == 1);
    }

    private void tellInParts(Claimed message, String state) {
        long after = 0;
        while (after >= 0) {
            long behind = after;
            after = database.transact(
                    "recording what became of alerts", handle -> tell(handle, message, behind, state));
        }
    }

    /**
     * Records that a message could not be sent: it is tried again after the delay, or given up.
     *
     * @param others whether others for the same receiver would only wait for the same failure
     * @return whether it was given up
     */
    public boolean failed(Claimed message, String error, Duration delay, boolean others) {
        boolean over = message.now().plus(delay).isAfter(message.expiresAt());
        if (over) {
            tellInParts(message, GIVEN_UP);
        }
        return database.transact("recording that a message was not sent", handle -> {
            int ours = handle.createUpdate(FAILED)
                    .bind("id", message.id())
                    .bind("claim", message.claim())
                    .bind("state", over ? GIVEN_UP : "WAITING")
                    .bind("seconds", delay.toSeconds())
                    .bind("error", error)
                    .execute();
            if (ours == 1 && others) {
                update(handle, PUT_OFF, "id", message.id(), "seconds", Math.min(delay.toSeconds(), 30));
            }
            return over && ours == 1;
        });
    }

    /**
     * Records the state of a message with its alerts, too: given up takes precedence over sent.
     *
     * @return behind which of its alerts to go on; -1: that was all
     */
    private static long tell(Handle handle, Claimed message, long after, String state) {
        List<Long> alerts = query(handle, UNTOLD, "id", message.id(), "claim", message.claim())
                .bind("after", after)
                .bind("most", TOLD_AT_ONCE)
                .mapTo(Long.class)
                .list();
        InList.change(handle, alerts, part -> TELL.formatted(state, InList.ids(part)));
        return alerts.size() < TOLD_AT_ONCE ? -1 : alerts.get(alerts.size() - 1);
    }
}
