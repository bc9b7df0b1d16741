package dev.rowlock.alert.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.alert.JobRun;
import dev.rowlock.alert.store.RunFeed.RunRow;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Ping;
import dev.rowlock.task.history.OriginSql;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Pings that jobs send to an outside watchdog, as messages without a channel. */
final class Pings {

    /** Time after which what was started has been committed. */
    private static final Duration VISIBLE = Duration.ofSeconds(3);

    private static final String STARTED = """
            select json_extract(v.definition, '$.ping') as ping
              from task t force index (due)
              straight_join job_version v on v.job_id = t.job_id and v.version = t.job_version
             where t.idle = 0 and t.due_at <= utc_timestamp(6) and t.state = 'EXECUTING'
               and t.started_at > :from and t.started_at <= :until
               and json_extract(v.definition, '$.ping') is not null and not %s
            """.formatted(OriginSql.isBackfill("t"));

    private Pings() {}

    /** Sends pings of ended runs: one that is tried again has not ended. */
    static void ended(Handle handle, Instant now, List<RunRow> rows) {
        for (RunRow row : rows) {
            Ping ping = read(row.ping());
            JobRun run = row.run();
            if (ping != null && (run.succeeded() || run.failed() || run.declined())) {
                send(handle, now, ping.ended(run.outcome(), run.exitCode()));
            }
        }
    }

    /** Sends pings of runs that still execute; each is seen by one look, some seconds after its start. */
    static void started(Handle handle, Instant from, Instant now) {
        query(handle, STARTED, "from", SqlTime.text(from.minus(VISIBLE)), "until", SqlTime.text(now.minus(VISIBLE)))
                .mapTo(String.class)
                .list()
                .forEach(json -> {
                    Ping ping = read(json);
                    send(handle, now, ping == null ? null : ping.start());
                });
    }

    static void send(Handle handle, Instant now, @Nullable String url) {
        if (url != null) {
            Grouping.create(handle, "", "ping:" + host(url), url, now, Grouping.PINGED_FOR);
        }
    }

    private static String host(String url) {
        return String.valueOf(URI.create(url).getHost()).toLowerCase(Locale.ROOT);
    }

    static @Nullable Ping read(@Nullable String json) {
        return json == null || json.equals("null") ? null : Ping.stored(NamedDefinitions.parse(json));
    }
}
