package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.MessagePart;
import dev.rowlock.alert.RaisedAlert;
import dev.rowlock.alert.store.SilenceStore.StoredSilence;
import dev.rowlock.db.InList;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Silencing of a message just before it is sent: a closed alert is dropped, and an open one waits for the end of the
 * silence.
 */
final class Silencing {

    /** Parts looked at together; a silence covers most of them alike. */
    private static final int MOST = 10_000;

    private static final String WAITED = "select silence_id from alert_message where id = :id";

    private static final String WAIT = """
            update alert_message set next_at = :until, silence_id = :silence, claim = null, session_id = null,
                   attempts = 0, expires_at = :expires
             where id = :id
            """;
    private static final String END = """
            update alert_message set state = 'SILENCED', silence_id = :silence, claim = null, session_id = null
             where id = :id
            """;
    private static final String COPY = """
            insert into alert_message (uid, channel, group_key, state, created_at, next_at, expires_at, silence_id)
            select concat('msg_', replace(uuid(), '-', '')), channel, group_key, 'WAITING', utc_timestamp(3), :until,
                   :expires, :silence
              from alert_message where id = :id
            """;
    private static final String AGAIN = "update alert_message set claim = null, session_id = null where id = :id";
    private static final String MOVE =
            "update alert_part set message_id = %s where message_id = %s and alert_id in (%s)";
    private static final String DROP = "delete from alert_part where message_id = %s and alert_id in (%s)";
    private static final String SILENCED =
            "update alert set sending = 'SILENCED' where id in (%s) and sending not in ('SENT', 'GIVEN_UP')";

    private Silencing() {}

    private record Covered(RaisedAlert alert, StoredSilence silence) {}

    /**
     * Applies the silences within the transaction that claims the message. Returns false if there is nothing to send
     * now.
     */
    static boolean leavesSomething(Handle handle, long message) {
        List<StoredSilence> silences = SilenceStore.active(handle);
        Long waited = query(handle, WAITED, "id", message)
                .map((row, context) -> Optional.ofNullable((Long) row.getObject("silence_id")))
                .one()
                .orElse(null);
        if (silences.isEmpty() && waited == null) {
            return true;
        }
        List<MessagePart> parts = Outbox.parts(handle, message, MOST);
        List<Covered> open = new ArrayList<>();
        List<Long> over = new ArrayList<>();
        for (MessagePart part : parts) {
            Optional<StoredSilence> silence = longest(silences, part.alert());
            if (!part.alert().isOpen() && (silence.isPresent() || waited != null)) {
                over.add(part.alert().id());
                waited = silence.map(StoredSilence::id).orElse(waited);
            } else {
                silence.ifPresent(by -> open.add(new Covered(part.alert(), by)));
            }
        }
        return (over.isEmpty() && open.isEmpty()) || without(handle, message, parts.size(), open, over, waited);
    }

    private static boolean without(
            Handle handle, long message, int parts, List<Covered> open, List<Long> over, @Nullable Long silence) {
        List<Long> waiting = open.stream().map(c -> c.alert.id()).toList();
        silenced(handle, over);
        silenced(handle, waiting);
        if (over.size() == parts && parts < MOST) {
            update(handle, END, "id", message, "silence", silence);
            return false;
        }
        InList.change(handle, over, part -> DROP.formatted(message, InList.ids(part)));
        if (over.size() == parts) {
            update(handle, AGAIN, "id", message);
            return false;
        }
        if (open.size() + over.size() == parts) {
            putOff(handle, WAIT, message, open);
            return false;
        }
        if (!open.isEmpty()) {
            putOff(handle, COPY, message, open);
            long copy =
                    query(handle, "select last_insert_id()").mapTo(Long.class).one();
            InList.change(handle, waiting, part -> MOVE.formatted(copy, message, InList.ids(part)));
        }
        return true;
    }

    private static void silenced(Handle handle, List<Long> alerts) {
        InList.change(handle, alerts, part -> SILENCED.formatted(InList.ids(part)));
    }

    /**
     * Postpones a message until the first of these silences ends; what another one still covers then is postponed
     * again.
     */
    private static void putOff(Handle handle, String how, long message, List<Covered> open) {
        StoredSilence first = open.stream()
                .map(Covered::silence)
                .min(Comparator.comparing(silence -> silence.silence().until()))
                .orElseThrow();
        Instant until = first.silence().until();
        Duration tried = Grouping.TRIED_FOR;
        update(
                handle,
                how,
                "id",
                message,
                "until",
                SqlTime.text(until),
                "silence",
                first.id(),
                "expires",
                SqlTime.text(until.plus(tried)));
    }

    private static Optional<StoredSilence> longest(List<StoredSilence> silences, RaisedAlert alert) {
        return silences.stream()
                .filter(stored -> stored.silence().covers(alert.rule(), alert.job(), alert.labels()))
                .max(Comparator.comparing(stored -> stored.silence().until()));
    }
}
