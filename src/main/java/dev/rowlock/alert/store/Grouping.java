package dev.rowlock.alert.store;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.query;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.alert.Evaluating.Told;
import dev.rowlock.db.Decision;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Grouping of notifications into messages: into a waiting one of the same rule, or into a new one. */
final class Grouping {

    /** Time for which a message is tried. */
    static final Duration TRIED_FOR = Duration.ofDays(1);
    /** Time for which a ping is tried: a later one would mislead the watchdog. */
    static final Duration PINGED_FOR = Duration.ofMinutes(30);

    /** Query of a message that nobody has begun to send; the lock keeps it so until the part is in it. */
    private static final String JOINABLE = """
            select id from alert_message force index (joinable)
             where channel = :channel and state = 'WAITING' and next_at >= :now and next_at <= :latest
               and group_key = :key and attempts = 0 and claim is null and silence_id is null
             order by next_at desc limit 1 for update
            """;

    private static final String CREATE = """
            insert into alert_message (uid, channel, group_key, url, state, created_at, next_at, expires_at)
            values (:uid, :channel, :key, :url, 'WAITING', utc_timestamp(3), :next, :expires)
            """;
    private static final String PARTS = """
            insert ignore into alert_part (message_id, alert_id, kind)
            select v.message, v.alert, v.kind
              from json_table(:rows, '$[*]' columns (
                     message bigint path '$[0]', alert bigint path '$[1]',
                     kind varchar(10) character set ascii path '$[2]')) v
            """;

    private final Handle handle;
    private final Instant now;
    private final Map<MessageKey, Long> messages = new HashMap<>();

    private record MessageKey(String channel, String rule, Instant latest) {}

    private record GroupedPart(long message, Told told) {}

    Grouping(Handle handle, Instant now) {
        this.handle = handle;
        this.now = now;
    }

    void add(List<Told> all) {
        List<GroupedPart> parts = new java.util.ArrayList<>();
        for (Told told : all) {
            Instant latest = now.plus(told.rule().rule().groupWait());
            for (String channel : told.rule().rule().channels()) {
                long message = messages.computeIfAbsent(
                        new MessageKey(channel, told.rule().name(), latest), this::message);
                parts.add(new GroupedPart(message, told));
            }
        }
        if (!parts.isEmpty()) {
            update(
                    handle,
                    PARTS,
                    "rows",
                    JsonRows.of(
                            parts,
                            part -> row(
                                    part.message(),
                                    part.told().alert().id(),
                                    part.told().kind().name())));
        }
    }

    private long message(MessageKey place) {
        Decision.MESSAGES.exclude(handle);
        return query(handle, JOINABLE, "channel", place.channel(), "key", place.rule())
                .bind("now", SqlTime.text(now))
                .bind("latest", SqlTime.text(place.latest()))
                .mapTo(Long.class)
                .findOne()
                .orElseGet(() -> create(handle, place.channel(), place.rule(), null, place.latest(), TRIED_FOR));
    }

    /** Creates a message without parts. */
    static long create(
            Handle handle, String channel, String key, @Nullable String url, Instant next, Duration triedFor) {
        return handle.createUpdate(CREATE)
                .bind("uid", "msg_" + UUID.randomUUID().toString().replace("-", ""))
                .bind("channel", channel)
                .bind("key", key)
                .bind("url", url)
                .bind("next", SqlTime.text(next))
                .bind("expires", SqlTime.text(next.plus(triedFor)))
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
    }
}
