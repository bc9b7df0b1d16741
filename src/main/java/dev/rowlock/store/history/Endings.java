package dev.rowlock.store.history;

import static dev.rowlock.db.JsonRows.row;

import dev.rowlock.db.JsonRows;
import dev.rowlock.db.Listed;
import dev.rowlock.db.SqlTime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The one way from {@code task} to {@code task_history}: the history row is made from the live row that it replaces, under the same guard. */
public final class Endings {

    private static final String ENDINGS = """
            json_table(:endings, '$[*]' columns (
                   id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                   outcome varchar(10) character set ascii path '$[2]', reason varchar(500) character set utf8mb4 path '$[3]',
                   ended_at varchar(23) character set ascii path '$[4]', duration_ms bigint path '$[5]',
                   exit_code int path '$[6]', exit_signal int path '$[7]', output_bytes bigint path '$[8]')) v
              straight_join task t force index (primary) on t.id = v.id
            """;
    private static final String GUARD = "(v.launch is null and t.launch_id is null or t.launch_id = v.launch)";
    private static final String RECORD = """
            insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin, attempt, cause,
                   outcome, reason, node, session_id, launch_id, due_at, prepared_at, started_at, ended_at, lateness_ms,
                   duration_ms, exit_code, exit_signal, output_bytes, occurrences, last_fire_time)
            select t.id, t.job_id, j.namespace, j.name, t.job_version, t.fire_time, t.next_fire_time, t.origin, t.attempt, t.cause,
                   v.outcome, v.reason, coalesce(s.node, if(t.session_id is null, null, :node)), t.session_id, t.launch_id,
                   t.due_at, t.prepared_at, t.started_at,
                   greatest(coalesce(v.ended_at, utc_timestamp(3)), coalesce(t.started_at, '1970-01-01')),
                   timestampdiff(microsecond, if(t.cause in ('RETRY', 'RECOVERY'), t.due_at, t.fire_time), t.started_at) div 1000,
                   v.duration_ms, v.exit_code, v.exit_signal, v.output_bytes, 1, t.fire_time
              from %s
              straight_join job_version j on j.job_id = t.job_id and j.version = t.job_version
              left join session s on s.id = t.session_id
             where %s
            """.formatted(ENDINGS, GUARD);
    /** No launch id is carried by two tasks, so the two lists let no pair through that did not end. */
    public static final String DELETE =
            "delete t from task t force index (primary) where t.id in (%s) and t.launch_id in (%s)";

    private static final String DELETE_UNHELD =
            "delete t from task t force index (primary) where t.id in (%s) and t.launch_id is null";

    private Endings() {}

    /**
     * Moves these tasks into history; those that are gone, or carry another launch id, are left alone.
     *
     * @param node whose name stands in history when the session's row is gone already
     * @return how many were moved
     */
    public static int record(Handle handle, Collection<Ending> endings, String node) {
        if (endings.isEmpty()) {
            return 0;
        }
        int recorded = write(handle, endings, node);
        remove(handle, endings, recorded);
        return recorded;
    }

    public static int write(Handle handle, Collection<Ending> endings, @Nullable String node) {
        return handle.createUpdate(RECORD)
                .bind("endings", rows(endings))
                .bind("node", node)
                .execute();
    }

    public static void remove(Handle handle, Collection<Ending> endings, int recorded) {
        List<Ending> held = endings.stream().filter(e -> e.launch() != null).toList();
        List<Ending> unheld = endings.stream().filter(e -> e.launch() == null).toList();
        int deleted = Listed.change(handle, held, part -> DELETE.formatted(ids(part), launches(part)))
                + Listed.change(handle, unheld, part -> DELETE_UNHELD.formatted(ids(part)));
        if (deleted != recorded) {
            throw new IllegalStateException("recorded " + recorded + " tasks but deleted " + deleted);
        }
    }

    private static String ids(List<Ending> endings) {
        return Listed.ids(endings.stream().map(Ending::taskId).toList());
    }

    private static String launches(List<Ending> endings) {
        return Listed.texts(endings.stream()
                .map(e -> Objects.requireNonNull(e.launch()).text())
                .toList());
    }

    private static @Nullable String launch(Ending ending) {
        return ending.launch() == null ? null : ending.launch().text();
    }

    private static String rows(Collection<Ending> endings) {
        return JsonRows.of(
                endings,
                e -> row(
                        e.taskId(),
                        launch(e),
                        e.outcome().name(),
                        e.reason(),
                        SqlTime.textOrNull(e.endedAt()),
                        e.durationMillis(),
                        e.exitCode(),
                        e.exitSignal(),
                        e.outputBytes()));
    }
}
