package dev.rowlock.task.history;

import static dev.rowlock.db.JsonRows.row;
import static dev.rowlock.db.Sql.update;

import dev.rowlock.db.CountedMark;
import dev.rowlock.db.InList;
import dev.rowlock.db.JsonRows;
import dev.rowlock.db.SqlTime;
import dev.rowlock.definition.Outcome;
import dev.rowlock.task.Ending;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writer of {@code task_history}, the only one. A row is made from the live row that it replaces, under the lock row of
 * its stripe, and the live row is deleted in the same transaction. A task that a session held ends as an {@link
 * Ending}, under its launch id; a scheduled one that nobody ran ends as {@link NotRun}, perhaps for many fire times.
 */
public final class TaskHistory {

    /** Time since which {@code task t} is late; what is late by nature has a time of its own. */
    public static final String LATE_FROM = "if(t.cause in ('RETRY', 'RECOVERY') or " + OriginSql.isOfThePast("t")
            + ", t.due_at, " + DueTime.SCHEDULED + ")";

    /**
     * Node whose part of a broadcast {@code task t} is, see {@link dev.rowlock.task.Origin}. It was for that one,
     * whoever records that it did not run.
     */
    private static final String NODE_OF_PART = "if(" + OriginSql.isPart("t") + ", " + OriginSql.node("t") + ", null)";

    private static final String ENDINGS = """
            insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,
                   attempt, cause, outcome, reason, node, session_id, launch_id, due_at, prepared_at, started_at,
                   ended_at, lateness_ms, duration_ms, exit_code, exit_signal, output_bytes, occurrences,
                   last_fire_time, queued_at, priority, group_name, superseded_by, replaced_by, overrides, note,
                   waited_for, taken_from, taken_node)
            select t.id, t.job_id, j.namespace, j.name, t.job_version, t.fire_time, t.next_fire_time, t.origin,
                   t.attempt, t.cause, v.outcome,
                   if(v.outcome = 'KILLED' and t.replaced_by is not null,
                      replace(v.reason, '%1$s', concat('replaced by task ', t.replaced_by, ' (overlap REPLACE)')),
                      v.reason),
                   coalesce(%6$s, s.node, if(t.session_id is null, null, :node)),
                   t.session_id, t.launch_id, t.due_at, t.prepared_at, t.started_at,
                   greatest(coalesce(v.ended_at, utc_timestamp(3)), coalesce(t.started_at, '1970-01-01')),
                   timestampdiff(microsecond, %2$s, t.started_at) div 1000,
                   v.duration_ms, v.exit_code, v.exit_signal, v.output_bytes, 1, t.fire_time,
                   t.queued_at, t.priority, t.group_name, %3$s,
                   if(v.outcome = 'SUCCEEDED', null, t.replaced_by), t.overrides, %4$s,
                   t.waited_for, t.taken_from, t.taken_node
              from json_table(:endings, '$[*]' columns (
                     id bigint path '$[0]', launch varchar(48) character set ascii path '$[1]',
                     outcome varchar(10) character set ascii path '$[2]',
                     reason varchar(500) character set utf8mb4 path '$[3]',
                     ended_at varchar(23) character set ascii path '$[4]', duration_ms bigint path '$[5]',
                     exit_code int path '$[6]', exit_signal int path '$[7]', output_bytes bigint path '$[8]'%5$s)) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job_version j on j.job_id = t.job_id and j.version = t.job_version
              left join session s on s.id = t.session_id
             where v.launch is null and t.launch_id is null or t.launch_id = v.launch
            """;
    /** Insert for endings without the two columns that the other has: each column of the list costs all of them. */
    private static final String INSERT_ENDINGS =
            ENDINGS.formatted(Ending.ON_REQUEST, LATE_FROM, "null", "null", "", NODE_OF_PART);

    private static final String INSERT_EXPLAINED = ENDINGS.formatted(
            Ending.ON_REQUEST,
            LATE_FROM,
            "v.superseded_by",
            "v.note",
            ", superseded_by bigint path '$[9]', note varchar(200) character set utf8mb4 path '$[10]'",
            NODE_OF_PART);

    private static final String INSERT_NOT_RUN = """
            insert into task_history (id, job_id, namespace, job, job_version, fire_time, next_fire_time, origin,
                   attempt, cause, outcome, reason, due_at, ended_at, occurrences, last_fire_time, queued_at, priority,
                   group_name, overrides, waited_for, superseded_by, node, withdrawn)
            select t.id, t.job_id, j.namespace, j.name, t.job_version, t.fire_time,
                   if(v.relink = 1, v.next_fire_time, t.next_fire_time), t.origin, t.attempt, t.cause,
                   v.outcome, v.reason, t.due_at, coalesce(v.ended_at, utc_timestamp(3)), v.occurrences,
                   coalesce(v.last_fire_time, t.fire_time), t.queued_at, t.priority, t.group_name,
                   t.overrides, t.waited_for, v.superseded_by, %s, v.withdrawn
              from json_table(:rows, '$[*]' columns (
                     id bigint path '$[0]', outcome varchar(10) character set ascii path '$[1]',
                     reason varchar(500) character set utf8mb4 path '$[2]',
                     ended_at varchar(23) character set ascii path '$[3]',
                     occurrences bigint path '$[4]', last_fire_time varchar(23) character set ascii path '$[5]',
                     relink int path '$[6]', next_fire_time varchar(23) character set ascii path '$[7]',
                     superseded_by bigint path '$[8]', withdrawn int path '$[9]')) v
              straight_join task t force index (primary) on t.id = v.id
              straight_join job j on j.id = t.job_id
             where t.state <> 'EXECUTING'
            """.formatted(NODE_OF_PART);
    /** Delete by two lists: no two tasks carry the same launch id, so they match no pair that did not end. */
    private static final String DELETE =
            "delete t from task t force index (primary) where t.id in (%s) and t.launch_id in (%s)";

    private static final String DELETE_UNHELD =
            "delete t from task t force index (primary) where t.id in (%s) and t.launch_id is null";

    private TaskHistory() {}

    /**
     * Idle task that ends without having run, for its own fire time and perhaps for further ones. The caller deletes
     * its live row.
     *
     * @param endedAt null: now, by the database's clock
     * @param last the last fire time that it stands for; null: its own
     * @param next the fire time that follows; null: the one that the live row names
     * @param supersededBy the task for which it did not run; null: there is no such task
     * @param withdrawn whether an edit or a deletion took it back before its fire time
     */
    public record NotRun(
            long taskId,
            Outcome outcome,
            String reason,
            @Nullable Instant endedAt,
            long occurrences,
            @Nullable Instant last,
            @Nullable NextLink next,
            @Nullable Long supersededBy,
            boolean withdrawn) {

        public NotRun(
                long taskId,
                Outcome outcome,
                String reason,
                @Nullable Instant endedAt,
                long occurrences,
                @Nullable Instant last,
                @Nullable NextLink next) {
            this(taskId, outcome, reason, endedAt, occurrences, last, next, null, false);
        }

        /** Returns this end for a task that an edit or a deletion took back before its fire time. */
        public NotRun asWithdrawn() {
            return new NotRun(taskId, outcome, reason, endedAt, occurrences, last, next, supersededBy, true);
        }

        /** Returns this end for a task that did not run because of another. */
        public NotRun supersededBy(long task) {
            return new NotRun(taskId, outcome, reason, endedAt, occurrences, last, next, task, withdrawn);
        }
    }

    /**
     * Next fire time of a row in the chain.
     *
     * @param fireTime null: there is none
     */
    public record NextLink(@Nullable Instant fireTime) {}

    /**
     * Moves these tasks into history; those that are gone, or carry another launch id, are left alone.
     *
     * @param node name for history when the session's row is gone already
     */
    public static void record(Handle handle, Collection<Ending> endings, String node) {
        if (!endings.isEmpty()) {
            remove(handle, endings, write(handle, endings, node));
        }
    }

    /**
     * Writes rows of history, as the first half of {@link #record}, for callers that have to read both rows before
     * {@link #remove}.
     *
     * @param node null: unknown
     * @return how many rows were written
     */
    public static int write(Handle handle, Collection<Ending> endings, @Nullable String node) {
        boolean explained = endings.stream().anyMatch(e -> e.supersededBy() != null || e.note() != null);
        int written = update(
                handle,
                explained ? INSERT_EXPLAINED : INSERT_ENDINGS,
                "endings",
                JsonRows.of(endings, explained ? TaskHistory::explained : TaskHistory::rowOf),
                "node",
                node);
        Uncounted.noteEnded(handle, endings);
        return written;
    }

    /**
     * Deletes the live rows, as the second half of {@link #record}.
     *
     * @param written how many were written to history
     */
    public static void remove(Handle handle, Collection<Ending> endings, int written) {
        List<Ending> held = endings.stream().filter(e -> e.launch() != null).toList();
        List<Ending> unheld = endings.stream().filter(e -> e.launch() == null).toList();
        int deleted = InList.change(handle, held, part -> DELETE.formatted(ids(part), launches(part)))
                + InList.change(handle, unheld, part -> DELETE_UNHELD.formatted(ids(part)));
        if (deleted != written) {
            throw new IllegalStateException("recorded " + written + " tasks but deleted " + deleted);
        }
    }

    /** Writes these rows, all of them: the caller knows under the lock that each exists and does not execute. */
    public static void writeNotRun(Handle handle, List<NotRun> rows) {
        if (rows.isEmpty()) {
            return;
        }
        int written = handle.createUpdate(INSERT_NOT_RUN)
                .bind(
                        "rows",
                        JsonRows.of(
                                rows,
                                r -> row(
                                        r.taskId(),
                                        r.outcome().name(),
                                        r.reason(),
                                        SqlTime.textOrNull(r.endedAt()),
                                        r.occurrences(),
                                        SqlTime.textOrNull(r.last()),
                                        r.next() == null ? 0 : 1,
                                        r.next() == null
                                                ? null
                                                : SqlTime.textOrNull(r.next().fireTime()),
                                        r.supersededBy(),
                                        r.withdrawn() ? 1 : 0)))
                .execute();
        if (written != rows.size()) {
            throw new IllegalStateException("recorded " + written + " of " + rows.size() + " tasks that were not run");
        }
        Uncounted.noteNotRun(handle, rows);
        Spans.note(
                handle,
                rows.stream()
                        .filter(r -> r.occurrences() > 1)
                        .map(NotRun::taskId)
                        .toList());
    }

    private static String ids(List<Ending> endings) {
        return InList.ids(endings.stream().map(Ending::taskId).toList());
    }

    private static String launches(List<Ending> endings) {
        return InList.texts(endings.stream()
                .map(e -> Objects.requireNonNull(e.launch()).text())
                .toList());
    }

    private static List<@Nullable Object> rowOf(Ending e) {
        return row(
                e.taskId(),
                e.task().launchText(),
                e.outcome().name(),
                e.reason(),
                SqlTime.textOrNull(e.endedAt()),
                e.durationMillis(),
                e.exitCode(),
                e.exitSignal(),
                e.outputBytes());
    }

    private static List<@Nullable Object> explained(Ending e) {
        List<@Nullable Object> row = new ArrayList<>(rowOf(e));
        row.add(e.supersededBy());
        row.add(e.note());
        return row;
    }

    /**
     * Rows of history that were written after others which ended later were counted. Writing such a row notes it here,
     * in the same transaction. They are few: tasks that ended long before they were recorded, as their node had lost
     * the database.
     */
    private static final class Uncounted {

        /** Insert by live rows: one still exists beside a row of history only if this transaction wrote that. */
        private static final String NOTE_ENDED = """
                insert into task_uncounted (task_id)
                select h.id from task t force index (primary) straight_join task_history h force index (primary)
                       on h.id = t.id and h.launch_id <=> t.launch_id
                 where t.id in (%s)
                """;

        private static final String NOTE = "insert into task_uncounted (task_id) values %s";

        private Uncounted() {}

        /** Notes endings that were written, as far as they were still live. Call before the live rows are deleted. */
        static void noteEnded(Handle handle, Collection<Ending> endings) {
            List<Long> past = endings.stream()
                    .filter(ending -> isPast(handle, ending.endedAt()))
                    .map(Ending::taskId)
                    .toList();
            InList.change(handle, past, part -> NOTE_ENDED.formatted(InList.ids(part)));
        }

        /** Notes rows that were all written. */
        static void noteNotRun(Handle handle, Collection<TaskHistory.NotRun> rows) {
            List<String> past = rows.stream()
                    .filter(row -> isPast(handle, row.endedAt()))
                    .map(row -> "(" + row.taskId() + ")")
                    .toList();
            InList.change(handle, past, part -> NOTE.formatted(String.join(",", part)));
        }

        private static boolean isPast(Handle handle, @Nullable Instant endedAt) {
            return handle.getConfig(CountedMark.class).isPast(endedAt);
        }
    }
}
